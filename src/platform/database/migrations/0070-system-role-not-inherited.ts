import { type Kysely, sql } from 'kysely'

/**
 * Has the role that logs in take on `gatehouse_system` and `gatehouse_tenant` explicitly and no longer inherit them, in a
 * database that holds no organisation yet. Processes of an earlier release rely on the inheritance, so a database that they may
 * be serving keeps it: the start says how to end it (decision 100). A grant that another role has made is left to it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
      if (select sum(change) from organisation_count_changes) > 0 then return; end if;
      if current_setting('server_version_num')::int >= 160000 then
        execute format('grant gatehouse_system, gatehouse_tenant to %I with inherit false, set true', session_user);
      -- PostgreSQL 15 knows inheritance as an attribute of the whole role: not where it serves for something else. An owner has
      -- the rights in schema public by inheritance, too.
      elsif not exists (
        select from pg_auth_members m join pg_roles member on member.oid = m.member join pg_roles held on held.oid = m.roleid
        where member.rolname = session_user and held.rolname not in ('gatehouse_system', 'gatehouse_tenant')
      ) and not exists (
        select from pg_database join pg_roles owner on owner.oid = datdba where owner.rolname = session_user and datname <> current_database()
      ) and not (select rolsuper from pg_roles where rolname = session_user) then
        execute format('grant usage, create on schema %I to %I', current_schema(), session_user);
        execute format('alter role %I noinherit', session_user);
      end if;
    exception when insufficient_privilege then null;
    end $$`.execute(database)
}
