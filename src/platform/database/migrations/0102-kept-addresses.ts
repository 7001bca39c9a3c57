import { type Kysely, sql } from 'kysely'

/**
 * A verified domain keeps its addresses: another organisation gets no new user with one of them. The users that it has stay. It is
 * refused as an address that is taken, by the name of the same constraint.
 *
 * Who creates a user shares a lock that who verifies a domain takes alone, so of the two, one sees the other. There are 64 of them:
 * an import holds no more, whatever addresses it has.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // The role of the tenant would see its own domains alone.
  await sql`
    create function refuse_kept_address() returns trigger language plpgsql set role = gatehouse_system as $$
    declare
      its_domain text := split_part(new.email, '@', 2);
    begin
      if tg_op = 'UPDATE' and new.email = old.email then
        return new;
      end if;
      perform pg_advisory_xact_lock_shared(7162, hashtext(its_domain) & 63);
      if exists (
        select from organisation_domains kept
        where kept.domain = its_domain and kept.status = 'verified' and kept.organisation_id <> new.organisation_id) then
        raise unique_violation using message = 'the domain of the address is of another organisation', constraint = 'users_email_key';
      end if;
      return new;
    end $$`.execute(database)
  await sql`
    create function wait_for_new_addresses() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(7162, hashtext(new.domain) & 63);
      return new;
    end $$`.execute(database)
  await sql`
    create trigger refuse_kept_address before insert or update of email on users
    for each row execute function refuse_kept_address()`.execute(database)
  await sql`
    create trigger wait_for_new_addresses before insert or update of status on organisation_domains
    for each row when (new.status = 'verified') execute function wait_for_new_addresses()`.execute(database)
}
