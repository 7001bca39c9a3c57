import { type Kysely, sql } from 'kysely'

/**
 * Whatever ends a session writes in the same transaction what its clients are told: a trigger forgets no cause. What clients hold that
 * keep nothing beyond the session ends with it, in the order of everything that ends tokens: codes before families.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_clients_of_session(of_organisation text, ended_session text, ended_at timestamptz) returns void language plpgsql as $$
    begin
      if not exists (select from session_clients where organisation_id = of_organisation and session_id = ended_session) then
        return;
      end if;
      update authorization_codes k set used_at = ended_at
      from session_clients told join clients c on c.organisation_id = told.organisation_id and c.id = told.client_id
      where told.organisation_id = of_organisation and told.session_id = ended_session and c.backchannel_logout_revokes_refresh
        and k.organisation_id = of_organisation and k.user_id = told.user_id and k.client_id = told.client_id
        and k.session_id = ended_session and k.used_at is null;
      update token_families f set revoked_at = ended_at
      from session_clients told join clients c on c.organisation_id = told.organisation_id and c.id = told.client_id
      where told.organisation_id = of_organisation and told.session_id = ended_session and c.backchannel_logout_revokes_refresh
        and f.organisation_id = of_organisation and f.user_id = told.user_id and f.client_id = told.client_id
        and f.session_id = ended_session and f.revoked_at is null;
      with told as (
        delete from session_clients where organisation_id = of_organisation and session_id = ended_session
        returning client_id, user_id, session_id)
      insert into logout_deliveries (organisation_id, id, client_id, user_id, session_id, next_attempt_at, created_at)
      select of_organisation, new_id('lgd', ended_at), told.client_id, told.user_id, told.session_id, ended_at, ended_at
      from told join clients c on c.organisation_id = of_organisation and c.id = told.client_id
      where c.backchannel_logout_uri is not null and c.deleted_at is null;
    end $$`.execute(database)
  await sql`
    create function tell_of_ended_session() returns trigger language plpgsql as $$
    begin
      perform tell_clients_of_session(new.organisation_id, new.id, new.revoked_at);
      return null;
    end $$`.execute(database)
  await sql`
    create trigger sessions_tell_clients after update of revoked_at on sessions
      for each row when (old.revoked_at is null and new.revoked_at is not null) execute function tell_of_ended_session()`.execute(database)
}
