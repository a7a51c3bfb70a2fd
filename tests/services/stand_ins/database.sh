#!/bin/sh
# The first start makes the cluster, a superuser and its database, as PostgreSQL's own image does.
set -e
export PGDATA=/var/lib/postgresql/data
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
if [ ! -s $PGDATA/PG_VERSION ]; then
    printf %s "$POSTGRES_PASSWORD" >/tmp/password
    initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256 --encoding UTF8 --locale C.UTF-8
    echo "host all all all scram-sha-256" >>$PGDATA/pg_hba.conf
    echo "listen_addresses = '*'" >>$PGDATA/postgresql.conf
    echo "CREATE DATABASE $POSTGRES_DB" | postgres --single template1
fi
rm -f $PGDATA/postmaster.pid # An engine starts it as process 1 each time, and here the number may be another's.
exec "$@"
