/* Implementation of postgres.h. */
#include "postgres.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef ES_POSTGRES
#include <libpq-fe.h>
#endif

char postgres_folder[60];
const char *postgres_address;

int postgres_make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    if (!temporary || strlen(temporary) > 40)
        temporary = "/tmp";
    snprintf(postgres_folder, sizeof postgres_folder, "%.40s/endstation-XXXXXX", temporary);
    if (!mkdtemp(postgres_folder) || chmod(postgres_folder, 0711)) /* for the server's user */
        return -1;
    postgres_address = postgres_start(path_of("postgres"));
    return 0;
}

int postgres_remove_folder(void **state)
{
    (void)state;
    char command[100];
    if (postgres_address)
        postgres_stop(path_of("postgres"), "fast");
    snprintf(command, sizeof command, "rm -rf '%s'", postgres_folder);
    return system(command) == 0 ? 0 : -1;
}

const char *path_of(const char *name)
{
    static char path[4][300];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", postgres_folder, name);
    return path[turn];
}

const char *postgres_start(const char *folder)
{
#ifndef ES_POSTGRES
    (void)folder;
    printf("the program is built without PostgreSQL: it is not tested\n");
    return NULL;
#endif
    static char address[400];
    char command[400];
    snprintf(command, sizeof command, "sh ../scripts/postgres.sh start '%s'", folder);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    bool has_line = fgets(address, sizeof address, output);
    int status = pclose(output);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("PostgreSQL is not installed: it is not tested\n");
        return NULL;
    }
    assert_int_equal(status, 0);
    assert_true(has_line);
    address[strcspn(address, "\n")] = '\0';
    return address;
}

void postgres_stop(const char *folder, const char *mode)
{
    char command[400];
    snprintf(command, sizeof command, "sh ../scripts/postgres.sh stop '%s' %s", folder, mode);
    assert_int_equal(system(command), 0);
}

void postgres_sql(const char *address, const char *sql)
{
#ifdef ES_POSTGRES
    PGconn *db = PQconnectdb(address);
    PGresult *result = PQexec(db, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(db));
    PQclear(result);
    PQfinish(db);
#else
    (void)address;
    (void)sql;
#endif
}

void postgres_empty(const char *address)
{
    postgres_sql(address, "SET client_min_messages = error; "
                          "DROP SCHEMA IF EXISTS endstation CASCADE");
}
