import { type Kysely, sql } from 'kysely'

/**
 * The former release takes on a role on each connection, as this one does. Those before migration 70 relied on the inheritance: an
 * upgrade from them stops their processes first.
 */
export const stopsFormerRelease = undefined

/**
 * Ends that the role that logs in inherits `gatehouse_system` in a database that an earlier release has served (decision 162). A
 * statement that forgets to take on a role sees no row then, instead of those of every organisation. What this role may not change
 * is left to who may: the start names the statement.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ begin
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
