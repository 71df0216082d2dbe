# Read by CTest in the release tree. With ES_TREES=all, as `make test` sets it, it runs the tests
# of the other trees too, so that one run has one summary.
if("$ENV{ES_TREES}" STREQUAL "all")
  subdirs(san tsan fuzz)
endif()
