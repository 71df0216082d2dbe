#!/bin/sh
# A private PostgreSQL in a folder, for tests and measurements: only a Unix socket in that folder,
# nothing else of the machine is touched. What it acknowledges is synced, as in earnest.
#     scripts/postgres.sh start FOLDER          makes it where it is missing, starts it, and prints
#                                               its address, for `--store`
#     scripts/postgres.sh database FOLDER NAME [TEMPLATE]  makes another database in it, empty or a
#                                               copy of one that nobody uses; prints its address
#     scripts/postgres.sh stop FOLDER [MODE]    fast (without MODE), or immediate: like a crash
#     scripts/postgres.sh find                  prints the folder of PostgreSQL's programs
# 77: PostgreSQL is not there: neither installed, nor unpacked to build/postgres by `./run test`.
# POSTGRES=FOLDER names its programs. It refuses to run as root, so then the user postgres runs it,
# or nobody, who must be able to reach the folder. If the folder is removed it ends within a minute.
set -eu

usage() {
    echo "usage: scripts/postgres.sh start FOLDER | database FOLDER NAME [TEMPLATE] |" \
        "stop FOLDER [fast | immediate] | find" >&2
    exit 2
}
[ $# -ge 2 ] || [ "$*" = find ] || usage
folder=${2:-}
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
unpacked=$(cd "$(dirname "$0")/.." && pwd)/build/postgres

# Debian keeps the programs of each version in a folder of its own: the newest.
programs=$(if [ -n "${POSTGRES:-}" ]; then echo "$POSTGRES"; else
    printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV
    echo "$PATH" | tr : '\n'
    printf '%s\n' "$unpacked"/usr/lib/postgresql/*/bin | sort -rV
fi | while read -r found; do
    if [ -x "$found/initdb" ] && [ -x "$found/pg_ctl" ] && [ -x "$found/createdb" ]; then
        echo "$found"
        break
    fi
done)
if [ -z "$programs" ]; then
    echo "postgres.sh: PostgreSQL is not installed" >&2
    exit 77
fi
if [ "$1" = find ]; then
    echo "$programs"
    exit
fi

user=$(id -un)
if [ "$user" = root ]; then
    user=nobody
    id postgres >/dev/null 2>&1 && user=postgres
fi
# Runs a program as that user, in a folder that everybody may enter.
as_user() {
    if [ "$(id -un)" = "$user" ]; then
        "$@"
    else
        (cd / && exec setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups "$@")
    fi
}

# Unpacked programs need the libraries beside them, and a user who can reach them: if this one
# cannot, because the sources are in somebody's home, they are copied.
case $programs in
"$unpacked"/*)
    if ! as_user test -x "$programs/initdb"; then
        mkdir -p "$folder"
        [ -e "$folder/programs" ] || cp -R "$unpacked" "$folder/programs"
        programs=$folder/programs${programs#"$unpacked"}
        unpacked=$folder/programs
    fi
    for libraries in "$unpacked"/usr/lib/*-linux-* "$unpacked"/lib/*-linux-*; do
        [ ! -d "$libraries" ] ||
            export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    done
    ;;
esac

case $1 in
start)
    mkdir -p "$folder"
    if [ "$(id -un)" != "$user" ]; then
        chown "$user" "$folder"
    fi
    if [ ! -e "$folder/data/PG_VERSION" ]; then
        as_user "$programs/initdb" -D "$folder/data" -U endstation --auth=trust -E UTF8 \
            --locale=C >/dev/null
        as_user tee -a "$folder/data/postgresql.conf" >/dev/null <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 60
SETTINGS
    fi
    if ! as_user "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w start >/dev/null; then
        tail -n 5 "$folder/log" >&2
        exit 1
    fi
    echo "postgres://endstation@/postgres?host=$folder"
    ;;
database)
    [ $# -eq 3 ] || [ $# -eq 4 ] || usage
    as_user "$programs/createdb" -h "$folder" -U endstation \
        ${4:+"--maintenance-db=template1" "--template=$4"} "$3"
    echo "postgres://endstation@/$3?host=$folder"
    ;;
stop) as_user "$programs/pg_ctl" -D "$folder/data" -w -m "${3:-fast}" stop >/dev/null ;;
*) usage ;;
esac
