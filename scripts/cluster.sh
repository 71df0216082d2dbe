#!/bin/sh
# Several server processes on this machine: a private PostgreSQL, three processes of the program,
# and nginx in front of them, configured as docs/operating.md says.
#     scripts/cluster.sh PROGRAM [serve] [OPTIONS]
# prints the address and the folder of its files; at SIGINT or SIGTERM it stops everything, and
# removes the folder. The options are those of `endstation serve`, for all processes, but:
#     --port N          is the proxy's (8080; 0: any free one)
#     --data FOLDER     names the folder, which is kept then (memory: it is not)
#     --store ADDRESS   uses this database, and starts none
#     --trust-proxy     lets the proxy believe X-Forwarded-For
#     --processes N     starts that many, 1 to 9 (3)
#     --scatter         sends every connection to the next process, whatever its room is: for tests
# The folder has the sockets and process ids of the processes: 1.socket, 1.pid and so on. What ends
# is started again: `kill $(cat FOLDER/1.pid)` restarts a process; if PROGRAM was replaced before,
# that is an upgrade. Exit status 77: PostgreSQL or nginx is not installed.
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)
START_SECONDS=120 # only to end what hangs; on a busy machine everything takes longer
STOP_SECONDS=20

fail() {
    echo "cluster.sh: $1" >&2
    exit "${2:-1}"
}

# ---- Processes -----------------------------------------------------------------------------------

# Runs a program by the name $1, and again whenever it has ended, until everything is stopped. The
# first time it must not fail.
keep() {
    name=$1
    shift
    trap '' INT TERM HUP
    while [ ! -e "$folder/stopping" ]; do
        setsid "$@" >"$folder/$name.said" &
        echo $! >"$folder/$name.pid.new"
        mv "$folder/$name.pid.new" "$folder/$name.pid"
        if [ -e "$folder/stopping" ]; then kill $!; fi
        status=0
        wait $! || status=$?
        if [ $status -ne 0 ] && [ ! -e "$folder/started" ]; then
            echo $status >"$folder/failed"
            break
        fi
        sleep 0.1
    done
    rm -f "$folder/$name.pid"
}

tell() {
    kill "-$1" "$(cat "$folder/$2.pid" 2>/dev/null)" 2>/dev/null || true
}

# Waits until a program that was told to end has ended.
gone() {
    for _ in $(seq $((STOP_SECONDS * 20))); do
        [ -e "$folder/$1.pid" ] || return 0
        sleep 0.05
    done
    tell KILL "$1"
}

# Stops everything: the processes, which tell their clients; then what they need.
stop() {
    : >"$folder/stopping"
    for name in $names; do tell TERM "$name"; done
    for name in $names; do gone "$name"; done
    tell QUIT nginx
    gone nginx
    if [ -e "$folder/postgres/data/postmaster.pid" ]; then
        sh "$scripts/postgres.sh" stop "$folder/postgres" || true
    fi
    rm -f "$folder/running"
    if [ $is_temporary = yes ]; then rm -rf "$folder"; fi
}

# Whether a process is this script: another one may have its number meanwhile.
is_ours() {
    grep -q cluster.sh "/proc/$1/cmdline" 2>/dev/null
}

# Stops everything if this script, process $1, is killed and cannot. If the folder is gone, too, the
# others are those who keep programs running.
watch() {
    trap '' INT TERM HUP
    main=$1
    shift
    while is_ours "$main"; do sleep 0.5; done
    if [ -e "$folder/running" ]; then stop; fi
    if [ -d "$folder" ]; then return; fi
    for keeper in "$@"; do
        is_ours "$keeper" || continue
        children=$(cat "/proc/$keeper/task/$keeper/children" 2>/dev/null || true)
        kill -9 "$keeper" 2>/dev/null || true
        # shellcheck disable=SC2086 # a list of numbers
        kill $children 2>/dev/null || true
    done
}

# Begins to watch, also over these processes.
begin_to_watch() {
    if [ -n "$watcher" ]; then kill -9 "$watcher"; fi
    watch $$ "$@" >/dev/null 2>&1 &
    watcher=$!
}

finish() {
    status=$?
    trap '' INT TERM HUP
    trap - EXIT
    stop
    if [ -n "$watcher" ]; then kill -9 "$watcher" 2>/dev/null || true; fi
    exit $status
}

# Waits until a program has said something, or written its process id.
await() {
    for _ in $(seq $((START_SECONDS * 20))); do
        if [ -s "$folder/$1" ]; then return; fi
        if [ -s "$folder/failed" ]; then break; fi
        sleep 0.05
    done
    if [ -s "$folder/nginx.log" ]; then tail -n 3 "$folder/nginx.log" >&2; fi
    fail "it does not start: no $1" "$(cat "$folder/failed" 2>/dev/null || echo 1)"
}

# ---- The proxy -----------------------------------------------------------------------------------

# A port that nobody listens on.
free_port() {
    while :; do
        port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 10000))
        grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X $port) " /proc/net/tcp || break
    done
    echo "$port"
}

# What stands around the example of docs/operating.md: an ordinary process whose files are all in
# our folder.
configuration() {
    if [ "$(id -u)" = 0 ]; then echo 'user root;'; fi
    # shellcheck disable=SC3045 # every shell that Debian has as sh knows it
    files=$(ulimit -H -n)
    case $files in unlimited | ??????*) files=65536 ;; esac
    cat <<AROUND
daemon off;
worker_processes 1;
worker_rlimit_nofile $files;
pid $folder/nginx.listens;
error_log $folder/nginx.log warn;
events { worker_connections 16384; }
http {
access_log off;
AROUND
    for kind in client_body proxy fastcgi uwsgi scgi; do
        echo "${kind}_temp_path $folder/$kind;"
    done
    if [ $trusts_proxy = yes ]; then
        echo 'set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;'
    fi
    # shellcheck disable=SC2016 # $endstation is nginx's
    awk '/^```nginx$/ { block++; is_in = 1; next } /^```$/ { is_in = 0 } is_in && block == 2' \
        "$scripts/../docs/operating.md" |
        sed -e "s,listen 443 ssl http2;,listen 127.0.0.1:$port;," \
            -e "s,limit_conn endstation 500;,limit_conn endstation 60000;," \
            -e "/# ssl_certificate/d" | # (the load of a test comes from one address)
        if [ $scatters = yes ]; then sed '/ hash \$endstation consistent;/d'; else cat; fi |
        awk -v processes="$processes" -v folder="$folder" '
            /server unix:\/run\/endstation-[0-9]\/socket/ {
                match($0, /endstation-[0-9]/)
                number = substr($0, RSTART + 11, 1)
                last = number < 3 ? number : processes
                for (; number <= last && number <= processes; number++) {
                    line = $0
                    sub(/unix:\/run\/endstation-[0-9]\/socket/,
                        "unix:" folder "/" number ".socket", line)
                    print line
                }
                next
            }
            { print }'
    echo '}'
}

# ---- The script ----------------------------------------------------------------------------------

[ $# -ge 1 ] || fail "usage: scripts/cluster.sh PROGRAM [OPTIONS of endstation serve]" 2
program=$1
shift
if [ "${1:-}" = serve ]; then shift; fi
port=8080 data=memory store='' processes=3 trusts_proxy=no scatters=no
left=$#
while [ $left -gt 0 ]; do
    case $1 in
    --port | --data | --store | --processes)
        [ $left -ge 2 ] || fail "$1 takes a value" 2
        case $1 in
        --port) port=$2 ;;
        --data) data=$2 ;;
        --store) store=$2 ;;
        --processes) processes=$2 ;;
        esac
        shift 2
        left=$((left - 2))
        ;;
    --trust-proxy | --no-open | --scatter)
        case $1 in
        --trust-proxy) trusts_proxy=yes ;;
        --scatter) scatters=yes ;;
        esac
        shift
        left=$((left - 1))
        ;;
    *)
        set -- "$@" "$1"
        shift
        left=$((left - 1))
        ;;
    esac
done
case $processes in [1-9]) ;; *) fail "--processes takes 1 to 9, not $processes" 2 ;; esac

nginx=
for file in /usr/sbin/nginx /usr/bin/nginx /usr/local/sbin/nginx \
    "$scripts/../build/nginx/usr/sbin/nginx"; do
    if [ -z "$nginx" ] && [ -x "$file" ]; then nginx=$file; fi
done
[ -n "$nginx" ] || fail "nginx is not installed (./run test unpacks it)" 77

is_temporary=no
if [ "$data" = memory ]; then
    is_temporary=yes
    folder=$(mktemp -d "${TMPDIR:-/tmp}/endstation-cluster-XXXXXX")
else
    mkdir -p "$data"
    folder=$(cd "$data" && pwd)
fi
chmod 711 "$folder" # PostgreSQL may run as another user
names=$(seq "$processes" | tr '\n' ' ')
watcher=
keepers=
rm -f "$folder"/stopping "$folder"/started "$folder"/failed "$folder"/*.pid "$folder"/*.said
: >"$folder/running"
trap finish EXIT
trap 'exit 0' INT TERM HUP
begin_to_watch

[ -n "$store" ] || store=$(sh "$scripts/postgres.sh" start "$folder/postgres")
for name in $names; do
    # That of the first is in the folder itself: `endstation manage --data FOLDER` finds it there.
    own=$folder/$name
    if [ "$name" = 1 ]; then own=$folder; fi
    keep "$name" "$program" serve --no-open --store "$store" --data "$own" \
        --listen "unix:$folder/$name.socket" "$@" &
    keepers="$keepers $!"
done
for name in $names; do await "$name.said"; done
if [ "$port" = 0 ]; then port=$(free_port); fi
rm -f "$folder/nginx.listens"
configuration >"$folder/nginx.conf"
keep nginx "$nginx" -e "$folder/nginx.log" -p "$folder" -c "$folder/nginx.conf" &
# shellcheck disable=SC2086 # a list of numbers
begin_to_watch $keepers $!
await nginx.listens
: >"$folder/started"
printf 'Endstation is at http://localhost:%s\nIts files are in %s\n' "$port" "$folder"
wait
