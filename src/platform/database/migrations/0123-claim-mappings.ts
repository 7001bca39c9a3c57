import { type Kysely, sql } from 'kysely'

/**
 * Claims that clients and resource servers add to tokens. The function reads what mappings take their values from, and nothing else: the
 * statements of tokens call it only for rows that have mappings.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database)

  await run('alter table clients add column claim_mappings jsonb')
  await run('alter table resource_servers add column claim_mappings jsonb')
  await run(`
    create function claim_sources(mappings jsonb, targets text[], of_organisation text, of_user text, of_connection text, of_session text)
    returns jsonb language plpgsql stable as $$
    declare
      pointers text[] := array(
        select m ->> 'from' from jsonb_array_elements(mappings) m
        where jsonb_typeof(m -> 'from') = 'string' and exists (select from jsonb_array_elements_text(m -> 'in') t where t = any (targets))
      );
      sources jsonb := '{}';
      found jsonb;
    begin
      if pointers && array['/organisation/slug'] or exists (select from unnest(pointers) p where starts_with(p, '/organisation/metadata/')) then
        select jsonb_build_object('slug', o.slug, 'metadata',
          case when exists (select from unnest(pointers) p where starts_with(p, '/organisation/metadata/')) then o.metadata end)
        into found from organisations o where o.id = of_organisation;
        sources := sources || jsonb_build_object('organisation', found);
      end if;
      if of_user is null then
        return sources;
      end if;
      if exists (select from unnest(pointers) p where starts_with(p, '/user/metadata/')) then
        select u.metadata into found from users u where u.organisation_id = of_organisation and u.id = of_user;
        sources := sources || jsonb_build_object('metadata', found);
      end if;
      if '/user/roles' = any (pointers) then
        select coalesce(jsonb_agg(r.slug), '[]') into found
        from user_roles ur join roles r on r.organisation_id = ur.organisation_id and r.id = ur.role_id
        where ur.organisation_id = of_organisation and ur.user_id = of_user;
        sources := sources || jsonb_build_object('roles', found);
      end if;
      if '/user/teams' = any (pointers) then
        select coalesce(jsonb_agg(t.slug), '[]') into found
        from team_members tm join teams t on t.organisation_id = tm.organisation_id and t.id = tm.team_id
        where tm.organisation_id = of_organisation and tm.user_id = of_user;
        sources := sources || jsonb_build_object('teams', found);
      end if;
      if of_connection is not null and exists (select from unnest(pointers) p where starts_with(p, '/identity/')) then
        select i.claims into found
        from identities i left join sessions s on s.organisation_id = i.organisation_id and s.id = of_session
        where i.organisation_id = of_organisation and i.user_id = of_user and i.connection_id = of_connection
        order by i.subject is not distinct from s.upstream_subject desc, i.last_used_at desc nulls last limit 1;
        sources := sources || jsonb_build_object('identity', found);
      end if;
      return sources;
    end $$`)
}
