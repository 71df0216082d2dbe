/* Implementation of postgres.h. */
#include "postgres.h"
#include "check.h"
#include <string.h>
#include <sys/wait.h>
#ifdef ES_POSTGRES
#include <libpq-fe.h>
#endif

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
