import { type Kysely, sql } from 'kysely'

/**
 * Lets the service work as `gatehouse_system` instead of as the role that logs in, and takes from `gatehouse_tenant` what
 * no request of an organisation does: to delete the organisation. Its purge is the operator's.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`revoke delete on organisations from gatehouse_tenant`.execute(database)
  // Only what is ours: a managed server may have put views of its own into the schema.
  await sql`
    do $$ declare ours regclass; begin
      for ours in
        select oid from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and pg_has_role(relowner, 'usage')
      loop
        execute format('grant select, insert, update, delete on %s to gatehouse_system', ours);
      end loop;
      execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to gatehouse_system', current_schema());
    end $$`.execute(database)
}
