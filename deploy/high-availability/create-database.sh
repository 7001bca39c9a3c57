#!/bin/sh
# Makes the role and the database of Gatehouse: /etc/patroni/create-database.sh. Patroni runs it once, with the address of the new database.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$GATEHOUSE_DATABASE_PASSWORD" "$1" <<'SQL'
create role gatehouse_tenant nologin;
create role gatehouse_system nologin;
create role gatehouse login noinherit password :'password';
grant gatehouse_tenant, gatehouse_system to gatehouse;
create database gatehouse owner gatehouse;
\connect gatehouse
grant usage, create on schema public to gatehouse;
SQL
