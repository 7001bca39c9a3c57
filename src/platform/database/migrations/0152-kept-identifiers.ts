import { type Kysely, sql } from 'kysely'

/**
 * A verified domain keeps the identifiers at its host and below it: another organisation registers no resource server with one of them. It
 * is refused as an identifier that is taken, by the name of the same constraint. The nearest verified domain decides.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // The role of the tenant would see its own domains alone.
  await sql`
    create function refuse_kept_identifier() returns trigger language plpgsql set role = gatehouse_system as $$
    declare
      its_host text := rtrim(substring(new.identifier from '^[^:]+://([^/:?#]+)'), '.');
      labels text[] := string_to_array(its_host, '.');
      keeper text;
    begin
      select kept.organisation_id into keeper from organisation_domains kept
      where kept.domain = any(array(select array_to_string(labels[place:], '.') from generate_subscripts(labels, 1) as place))
        and kept.status = 'verified'
      order by length(kept.domain) desc limit 1;
      if keeper <> new.organisation_id then
        raise unique_violation using message = 'the domain of the identifier is of another organisation',
          constraint = 'resource_servers_identifier_key';
      end if;
      return new;
    end $$`.execute(database)
  await sql`
    create trigger refuse_kept_identifier before insert on resource_servers
    for each row execute function refuse_kept_identifier()`.execute(database)
}
