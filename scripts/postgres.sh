#!/bin/sh
# A private PostgreSQL in a folder, for tests and measurements: only a Unix socket in that folder,
# nothing else of the machine is touched. What it acknowledges is synced, as in earnest.
#     scripts/postgres.sh start FOLDER          makes it where it is missing, starts it, and prints
#                                               its address, for `--store`
#     scripts/postgres.sh database FOLDER NAME  makes another database in it, and prints its address
#     scripts/postgres.sh sql FOLDER NAME       runs SQL from standard input in a database of it
#     scripts/postgres.sh stop FOLDER [MODE]    fast (without MODE), or immediate: like a crash
# 77: PostgreSQL is not installed. It refuses to run as root, so then the user postgres runs it, or
# nobody, who must be able to reach the folder. If the folder is removed it ends within a minute.
set -eu

usage() {
    echo "usage: scripts/postgres.sh start FOLDER | database FOLDER NAME |" \
        "sql FOLDER NAME | stop FOLDER [fast | immediate]" >&2
    exit 2
}
[ $# -ge 2 ] || usage
folder=$2
case $folder in /*) ;; *) folder=$PWD/$folder ;; esac

# Debian keeps the programs of each version in a folder of its own: the newest.
programs=$({
    printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV
    echo "$PATH" | tr : '\n'
} | while read -r found; do
    if [ -x "$found/initdb" ] && [ -x "$found/pg_ctl" ] && [ -x "$found/createdb" ]; then
        echo "$found"
        break
    fi
done)
if [ -z "$programs" ]; then
    echo "postgres.sh: PostgreSQL is not installed" >&2
    exit 77
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
    [ $# -eq 3 ] || usage
    as_user "$programs/createdb" -h "$folder" -U endstation "$3"
    echo "postgres://endstation@/$3?host=$folder"
    ;;
sql)
    [ $# -eq 3 ] || usage
    as_user "$programs/psql" -X -q -v ON_ERROR_STOP=1 -h "$folder" -U endstation -d "$3"
    ;;
stop) as_user "$programs/pg_ctl" -D "$folder/data" -w -m "${3:-fast}" stop >/dev/null ;;
*) usage ;;
esac
