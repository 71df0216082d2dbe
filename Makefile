# Targets for developers. ./run does the same for newcomers, after installing what is missing.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
SECONDS_EACH ?= 60
# Warnings are errors for `make check` and `make test`. ./run says OFF: a newer compiler may warn of
# more. Other targets leave the trees as they are.
WERROR ?= ON
CMAKE = cmake -S . -Wno-dev
STRICT = -DES_WERROR=$(WERROR)
# The browser for the tests of the page.
BROWSER = CHROMIUM="$$(sh scripts/browser.sh)"
MODULES = tests/page/node_modules/.package-lock.json

# The tests of rooms, for a cluster: with each room at one process, and with everybody at another.
ROOMS = service|cluster|example|page_(online|rooms.*|fair|versions|upgrade|firefox_rooms)
SCATTERED = example|page_(rooms|rooms_parts|rooms_source|versions|firefox_rooms)

.PHONY: help build run cluster play test check browsers test-cluster steady strangers bench fuzz \
    train problems results texts format clean trees

help:    ## this list
	@sed -n 's/^\([a-z-]*\): *\([^#]*\)## /  \1\t/p' Makefile | expand -t 16

build:   ## the program, at build/endstation, and the page, in build/page
	@$(CMAKE) -B build $(if $(filter OFF,$(WERROR)),$(STRICT)) >/dev/null
	@cmake --build build --target program page -j $(JOBS) -- --no-print-directory -s

run: build   ## the main job: the page, at http://localhost:8080
	@build/endstation serve --data data

cluster: build   ## the same by three processes on a private PostgreSQL, behind nginx
	@sh scripts/cluster.sh build/endstation

play: build   ## a solo game in the terminal
	@build/endstation play

test: trees   ## everything: release, sanitizers, fuzzers over fixed inputs
	@$(BROWSER) && export CHROMIUM && \
	    ES_TREES=all ctest --test-dir build -j $(JOBS) --output-on-failure --no-tests=error

steady: trees   ## the tests N=5 times on busy cores, ONLY=page_ those of that name: do any fail?
	@$(BROWSER) && export CHROMIUM && sh scripts/steady.sh $(or $(N),5) '$(ONLY)'

browsers: $(MODULES)   ## whole games in Firefox ESR and in WebKit, and rooms in Firefox
	@$(CMAKE) -B build -DES_TESTS=ON >/dev/null
	@cmake --build build --target program page -j $(JOBS) -- --no-print-directory -s
	@ctest --test-dir build -R '^page_(firefox|webkit)' --output-on-failure \
	    --no-tests=error

test-cluster: $(MODULES)   ## the tests of rooms against such a cluster, for some minutes
	@$(CMAKE) -B build -DES_TESTS=ON >/dev/null
	@cmake --build build --target program page -j $(JOBS) -- --no-print-directory -s
	@$(BROWSER) && export CHROMIUM && ES_CLUSTER=yes \
	    ctest --test-dir build -R '^($(ROOMS))$$' --output-on-failure --no-tests=error
	@$(BROWSER) && export CHROMIUM && ES_CLUSTER=scatter \
	    ctest --test-dir build -R '^($(SCATTERED))$$' --output-on-failure --no-tests=error

check:   ## the quick part of the tests, under 30 s
	@$(CMAKE) -B build -DES_TESTS=ON $(STRICT) >/dev/null
	@cmake --build build -j $(JOBS) -- --no-print-directory -s
	@ctest --test-dir build -j $(JOBS) -L quick --output-on-failure --no-tests=error

strangers: build   ## what attacks cost honest people, each beside 250 moves a second (7 minutes)
	@cmake --build build --target load hostile -j $(JOBS) -- --no-print-directory -s
	@node bench/strangers.mjs build/endstation

bench: build $(MODULES)   ## times, also of the page, and instructions where valgrind is installed
	@build/endstation bench
	@sh scripts/instructions.sh
	@ES_PROGRAM=build/endstation node bench/page.mjs

fuzz:    ## every fuzz target for SECONDS_EACH=60
	@CC=clang $(CMAKE) -B build/fuzz -DES_FUZZ=ON >/dev/null
	@cmake --build build/fuzz -j $(JOBS) -- --no-print-directory -s
	@sh scripts/fuzz.sh build/fuzz/fuzz $(SECONDS_EACH)

train:   ## trains the bots again: writes bots_net.c and bots_trained.c (hours of one core)
	@$(CMAKE) -B build >/dev/null
	@cmake --build build --target train -j $(JOBS) -- --no-print-directory -s
	@cmake --build build --target metro_values -j $(JOBS) -- --no-print-directory -s
	@build/train src/games/verplant/bots_net.c $(JOBS)
	@build/metro_values >build/trained.c && mv build/trained.c src/games/metro/bots_trained.c

# Game numbers: as many as it took to find enough.
problems:   ## finds the problems of the page again: problems.records (half an hour of one core)
	@$(CMAKE) -B build >/dev/null
	@cmake --build build --target problems -j $(JOBS) -- --no-print-directory -s
	@build/problems --game verplant --games 0-119 --threads $(JOBS) >build/verplant.candidates
	@build/problems --game metro --games 0-239 --threads $(JOBS) >build/metro.candidates
	@for game in verplant metro; do \
	    build/problems --game $$game --select 150 --keep web/games/$$game/problems.records \
	        build/$$game.candidates >build/$$game.problems && \
	    mv build/$$game.problems web/games/$$game/problems.records || exit 1; \
	done

# Sheets with special stations are played without their rule and with it.
RESULTS = build/results --game verplant --games 0-1999 --threads $(JOBS)
LEVELS = random,greedy,casual,strong,master
results:   ## plays the games that people's results are compared with again (a day of one core)
	@$(CMAKE) -B build >/dev/null
	@cmake --build build --target results -j $(JOBS) -- --no-print-directory -s
	@$(RESULTS) --levels $(LEVELS) >build/basic.results
	@$(RESULTS) --levels $(LEVELS) --rules special --sheets madrid,paris,practice \
	    >build/special.results
	@build/results --merge build/basic.results build/special.results >build/alone.results
	@mv build/alone.results src/games/verplant/alone.results

texts:   ## po/*.po brought up to date with the texts of the sources
	@$(CMAKE) -B build >/dev/null
	@cmake --build build --target texts -j $(JOBS) -- --no-print-directory -s

format:  ## clang-format over all C files
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:   ## removes build/
	@rm -rf build

# What the browser tests need, exactly as it is locked; npm writes this file last.
$(MODULES): tests/page/package.json tests/page/package-lock.json
	@echo "installing what the tests of the page need"
	@npm ci --prefix tests/page --ignore-scripts --no-audit --no-fund --loglevel=error || \
	    { echo "make: npm could not install what tests/page/package-lock.json names" >&2; exit 1; }
	@touch $@

trees: $(MODULES)
	@$(CMAKE) -B build -DES_TESTS=ON $(STRICT) >/dev/null
	@$(CMAKE) -B build/san -DES_TESTS=ON -DES_SANITIZE=ON $(STRICT) >/dev/null
	@$(CMAKE) -B build/tsan -DES_TSAN=ON $(STRICT) >/dev/null
	@CC=clang $(CMAKE) -B build/fuzz -DES_FUZZ=ON $(STRICT) >/dev/null
	@for tree in build build/san build/tsan build/fuzz; do \
	    echo "building $$tree"; \
	    cmake --build $$tree -j $(JOBS) -- --no-print-directory -s || exit 1; \
	done
