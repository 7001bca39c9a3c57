/** Fills the database of a service that has one organisation with what large organisations have. */
import { onServer } from '../../test/support/database-server.ts'

const organisation = '(select id from organisations)'
/** SQL for an identifier of a time and a number, as `new_id` would make it, which takes too long for a million. */
export const idOf = (prefix: string, at: string, number: string) => `('${prefix}_' || ${stampOf(at, number)})`

/** SQL for such an identifier without its prefix. */
export function stampOf(at: string, number: string): string {
  const places = Array.from(
    { length: 10 },
    (_, place) => `substr('0123456789abcdefghjkmnpqrstvwxyz', (milliseconds >> ${5 * (9 - place)} & 31)::int + 1, 1)`,
  )
  return `(select ${places.join(' || ')} || lpad((${number})::text, 16, '0') from (select floor(extract(epoch from ${at}) * 1000)::bigint as milliseconds offset 0) as time)`
}

/** How far apart users were created: 100,000 of them within a year. */
const betweenUsers = "interval '5 minutes'"

/**
 * Users number `from` + 1 to `to`, the newest first, each with the default role and every other one in a team as well. Most
 * have signed in within the last 90 days, a third has a second factor, few are blocked or have not proven their address.
 */
export async function seedUsers(databaseUrl: string, to: number, from = 0): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into teams (organisation_id, id, name, slug, created_at, updated_at)
     values (${organisation}, 'tem_bench', 'Bench', 'bench', now(), now()) on conflict do nothing;
     with made as (
       insert into users (organisation_id, id, email, first_name, last_name, email_verified_at, mfa_enabled, blocked_at, last_login_at,
         created_at, updated_at)
       select ${organisation}, ${idOf('usr', 'at', 'n')}, 'user' || n || '@bench.test',
         'First ' || n, 'Last ' || n, case when n % 20 > 0 then now() end, n % 3 = 0, case when n % 200 = 0 then now() end,
         case when n % 10 > 0 then now() - n % 100000 * interval '90 days' / 100000 end, at, now()
       from generate_series(${from + 1}, ${to}) n cross join lateral (select now() - n * ${betweenUsers} as at) as created
       returning organisation_id, id
     ), assigned as (
       insert into user_roles (organisation_id, user_id, role_id, created_at)
       select made.organisation_id, made.id, roles.id, now() from made, roles where roles.slug = 'member'
     )
     insert into team_members (organisation_id, team_id, user_id, created_at)
     select organisation_id, 'tem_bench', id, now() from made where right(id, 1)::int % 2 = 0`,
  )
}

/** A session of every seeded user, about half of them live. */
export async function seedSessions(databaseUrl: string): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into sessions (organisation_id, id, user_id, token_hash, ip_address, user_agent, authenticated_at, authentication_methods,
       idle_timeout, last_activity_at, expires_at, created_at)
     select organisation_id, 'ses_' || substr(id, 5), id, 'hash-' || id, '203.0.113.7', 'Mozilla/5.0', now(), '{pwd}', 1800,
       now() - random() * interval '150 minutes', now() + interval '1 day', now() from users where email like 'user%@bench.test'`,
  )
}

/** As many rows of sign-ins as 32 days can have. */
export async function seedSignInCounts(databaseUrl: string): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into sign_in_counts (organisation_id, quarter_at, previous_at, succeeded, failed)
     select ${organisation}, quarter, case when back < 106 then quarter - back * interval '15 minutes' else '1970-01-01' end, 10, 1
     from generate_series(date_trunc('hour', now()) - interval '32 days', now(), interval '15 minutes') quarter, generate_series(0, 106) back
     on conflict do nothing`,
  )
}

/** The program that makes 30 % of all audit entries. */
export const busyActor = { id: 'usr_0000000000000000000000busy', email: 'busy@bench.test' }
/** How many of the seeded users the other entries are of. */
export const fewActors = 20_000
/** Of all entries and of none but the newest: an office with 40 % of the addresses. */
export const officeAddress = '198.51.100.7'

/**
 * Audit entries half a minute apart up to now, of users that are seeded: three of five are sign-ins. What concerns teams happened
 * in the oldest hundredth alone, and one single API key was created, in the middle.
 */
export async function seedAuditEntries(databaseUrl: string, count: number): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into users (organisation_id, id, email, first_name, last_name, created_at, updated_at)
     values (${organisation}, '${busyActor.id}', '${busyActor.email}', 'Busy', 'Program', now(), now())`,
  )
  for (let n = 1; n <= count; n += 100_000) {
    await onServer(
      databaseUrl,
      `insert into audit_logs (organisation_id, id, action, actor_type, actor_id, actor_name, actor_email, target_type, target_id, target_email,
         ip_address, user_agent, request_id, created_at)
       select ${organisation}, ${idOf('aud', 'at', 'n')}, split_part(kind, ' ', 1), 'user', actor.id, actor.name, actor.email, split_part(kind, ' ', 2),
         split_part(kind, ' ', 2) || '_' || lpad((n * 7 % 50000)::text, 26, '0'), case when kind like 'inv%' then n % 1000 || '@example.test' end,
         case when n % 10 < 4 then '${officeAddress}' else '10.' || n % 7 || '.' || n / 7 % 250 || '.' || n / 1750 % 250 end,
         'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', gen_random_uuid()::text, at
       from generate_series(${n}, ${Math.min(count, n + 99_999)}) n
       cross join lateral (select now() - (${count} - n) * interval '30 seconds' as at,
         case when n % 10 in (1, 4, 7) then '${busyActor.email}' else 'user' || n * 13 % ${fewActors} + 1 || '@bench.test' end as email,
         case when n < ${count / 100} and n % 5 = 0 then 'team.created team' when n = ${count / 2} then 'api_key.created api_key'
           when n % 1000 = 1 then 'invitation.sent invitation' when n % 10 < 6 then 'login.success session'
           when n % 10 = 6 then 'login.failed user' when n % 10 = 7 then 'user.updated user' when n % 10 = 8 then 'auth.logout session'
           else 'role.assigned user' end as kind) as made
       join users actor on actor.email = made.email`,
    )
  }
}

/** Applications of every kind, which were used within the last half year. */
export async function seedClients(databaseUrl: string, count: number): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, secret_hash, redirect_uris, grant_types, scopes,
       is_active, last_used_at, created_at, updated_at)
     select ${organisation}, new_id('cli', at), 'Application ' || n, kind, case kind when 'public' then 'none' else 'client_secret_basic' end,
       case kind when 'confidential' then 'hash-' || n end, array['https://app' || n || '.bench.test/callback'],
       '{authorization_code,refresh_token}', '{openid,profile,email}', n % 20 > 0, now() - n * interval '50 minutes', at, now()
     from generate_series(1, ${count}) n
     cross join lateral (select now() - n * interval '90 minutes' as at, case when n % 4 = 0 then 'public' else 'confidential' end as kind) as made`,
  )
}

/** Groups and what else has a page in the console. @returns the records to look at */
export async function seedOtherRecords(databaseUrl: string): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into teams (organisation_id, id, name, slug, created_at, updated_at)
     select ${organisation}, new_id('tem', now()), 'Team ' || n, 'team-' || n, now(), now() from generate_series(1, 500) n;
     insert into roles (organisation_id, id, name, slug, permission_slugs, created_at, updated_at)
     select ${organisation}, new_id('rol', now()), 'Role ' || n, 'role-' || n, '{users:read,audit:read}', now(), now() from generate_series(1, 100) n;
     insert into user_roles (organisation_id, user_id, role_id, created_at)
     select users.organisation_id, users.id, roles.id, now()
     from users join roles on roles.slug = 'role-' || right(users.id, 2)::int + 1 where users.email like 'user%@bench.test' and right(users.id, 1) = '3';
     insert into invitations (organisation_id, id, email, role_id, token_hash, invited_by_id, expires_in_days, expires_at, created_at, updated_at)
     select organisation_id, new_id('inv', at), 'invited' || n || '@bench.test', null, 'hash-' || n, owner.id, 7, at + interval '7 days', at, at
     from users owner cross join generate_series(1, 5000) n cross join lateral (select now() - n * interval '5 minutes' as at) as made
     where owner.email = 'owner@bench.test';
     insert into api_keys (organisation_id, id, name, prefix, key_hash, permissions, created_by_id, created_at)
     select organisation_id, new_id('key', now()), 'Key ' || n, 'ak_' || n, 'hash-' || n, '{users:read}', owner.id, now() - n * interval '1 day'
     from users owner cross join generate_series(1, 500) n where owner.email = 'owner@bench.test';
     insert into diagnostics (reference, organisation_id, client_id, endpoint, error, description, check_name, expected, received, parameters, created_at)
     select 'bench-' || lpad(n::text, 6, '0'), organisation_id, id, 'authorization', 'invalid_request', 'The redirect URI is not registered', 'redirect_uri',
       to_jsonb(redirect_uris), '"https://other.bench.test/callback"', '{}', now() - n * interval '1 minute'
     from generate_series(1, 10000) n join (select *, row_number() over (order by id) as place from clients) as clients on place = n % 100 + 1;
     insert into webhook_deliveries (organisation_id, id, endpoint_id, event_id, event, variant, body, status, attempt_count, last_status_code,
       created_at, delivered_at)
     select endpoint.organisation_id, ${idOf('dlv', 'at', 'n')}, endpoint.id, ${idOf('evt', 'at', 'n')}, 'user.updated', endpoint.variant, '{}',
       case when n % 50 = 0 then 'failed' else 'delivered' end, 1, case when n % 50 = 0 then 500 else 204 end, at, at
     from webhook_endpoints endpoint cross join generate_series(1, 100000) n cross join lateral (select now() - n * interval '20 seconds' as at) as made`,
  )
}
