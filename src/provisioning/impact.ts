import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { isSessionActiveAt } from '../access/session-expiry.ts'
import { placesOutside } from '../clients/rules.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { passwordPolicyOf, tokenLifetimesOf } from '../organisations/rules.ts'
import type { OrganisationChanges, OrganisationEffect } from '../organisations/schemas.ts'
import { connectionSignsIn } from '../organisations/signs-in-by-connection.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { daysAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { counted } from '../platform/text.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import type { Concerned, Effect, StoredClient } from './effects.ts'
import { effectsOnFactors, effectsOnSignIn } from './effects-on-sign-in.ts'
import { changesTo, findAtHand, type OrganisationSettings } from './update-organisation.ts'

export type ImpactDependencies = Omit<OrganisationSettings, 'database'>

const sampleSize = 10

/**
 * Predicts the effects of a change of settings. Fields without such an effect, and unchanged ones, are left out.
 *
 * @throws the refusal of the change, except for a name or an address that is taken
 */
export async function organisationImpact(
  tenant: Tenant,
  caller: Caller,
  changes: OrganisationChanges,
  settings: ImpactDependencies,
): Promise<OrganisationEffect[]> {
  const before = await getOwnOrganisation(tenant)
  const after = { ...before, ...changesTo(before, changes, { ...settings, ...(await findAtHand(tenant, changes)) }) } as Organisation
  const effects = [
    ...effectsOnFactors(before, after),
    ...effectsOnSignIn(before, after),
    ...effectsOnPasswords(tenant.now, before, after),
    ...effectsOnSessions(tenant.now, before, after),
    ...effectsOnClients(before, after),
    ...effectsOnTokens(before, after),
  ]
  const [users, clients] = await Promise.all([findUsers(tenant, effects, settings.relyingParty), findClients(tenant, effects)])
  return effects.flatMap((effect, index) => {
    const { field, effect: what, figures, detail, isLeftOutForNobody } = effect
    const concerned: Concerned = { ...nobody, ...users.get(index), ...clients.get(index) }
    if (isLeftOutForNobody && concerned.users === 0) return []
    return {
      field,
      effect: what,
      figures,
      detail: detail(concerned),
      ...concerned,
      ...(!caller.permissions.has('users:read') && { sample: [] }),
      ...(!caller.permissions.has('clients:read') && { sampleOfClients: [] }),
    }
  })
}

const nobody: Concerned = { users: 0, sample: [], clients: 0, sampleOfClients: [] }

function* effectsOnPasswords(now: Date, before: Organisation, after: Organisation): Generator<Effect> {
  const { maxAgeDays: daysBefore, ...former } = passwordPolicyOf(before.passwordPolicy)
  const { maxAgeDays, ...policy } = passwordPolicyOf(after.passwordPolicy)
  for (const [name, to] of Object.entries(policy)) {
    const from = former[name as keyof typeof former]
    if (from === to) continue
    yield {
      field: `passwordPolicy.${name}`,
      effect: 'for-new-passwords',
      figures: { from: Number(from), to: Number(to) },
      detail: () => 'Applies to passwords that are chosen from now on; 0 users are locked out',
    }
  }
  if (maxAgeDays === daysBefore) return
  const isStricter = maxAgeDays !== undefined && (daysBefore === undefined || maxAgeDays < daysBefore)
  const [less, more] = isStricter ? [maxAgeDays, daysBefore] : [daysBefore, maxAgeDays]
  const olderThan = (days: number) => sql`u.password_changed_at <= ${daysAfter(now, -days)}::timestamptz`
  yield {
    field: 'passwordPolicy.maxAge',
    effect: isStricter ? 'password-expires' : 'password-no-longer-expires',
    figures: { ...(daysBefore !== undefined && { from: daysBefore }), ...(maxAgeDays !== undefined && { to: maxAgeDays }) },
    ofUsers: sql`${olderThan(less ?? 0)} and not (${more === undefined ? sql`false` : olderThan(more)})`,
    detail: ({ users }) =>
      isStricter
        ? `${counted(users, 'user')} must choose a new password at their next sign-in`
        : `${counted(users, 'user')} who must choose a new password at their next sign-in need not any more`,
  }
}

function* effectsOnSessions(now: Date, before: Organisation, after: Organisation): Generator<Effect> {
  for (const field of ['sessionLifetime', 'sessionIdleTimeout'] as const) {
    if (after[field] === before[field]) continue
    yield {
      field,
      effect: 'for-new-sessions',
      figures: { from: before[field], to: after[field] },
      ofUsers: sql`exists (select from sessions s where s.organisation_id = u.organisation_id and s.user_id = u.id
        and ${isSessionActiveAt('s', now)})`,
      detail: ({ users }) =>
        `Applies to sessions that start from now on; ${counted(users, 'user')} signed in now can stay so by the former value`,
    }
  }
}

function* effectsOnClients(before: Organisation, after: Organisation): Generator<Effect> {
  const lists = [
    ['allowedCallbackUrls', 'redirectUris'],
    ['allowedLogoutUrls', 'postLogoutRedirectUris'],
  ] as const
  for (const [field, uris] of lists) {
    const isOutside = (allowed: readonly string[], client: StoredClient) => placesOutside(allowed, client[uris]).length > 0
    if (after[field] === before[field]) continue
    yield {
      field,
      effect: 'clients-outside',
      figures: {},
      ofClients: (client) => isOutside(after[field], client) && !isOutside(before[field], client),
      detail: ({ clients }) =>
        `Addresses of ${counted(clients, 'application')} are not in the list: they still work, and a change of them would be refused`,
    }
  }
  const removed = before.allowedOrigins.filter((origin) => !after.allowedOrigins.includes(origin))
  if (removed.length > 0) {
    yield {
      field: 'allowedOrigins',
      effect: 'origins-removed',
      figures: { origins: removed.length },
      detail: () => `Pages of ${counted(removed.length, 'origin')} can no longer read the API`,
    }
  }
}

const lifetimes = {
  accessTokenLifetime: 'accessToken',
  refreshTokenLifetime: 'refreshToken',
  refreshTokenAbsoluteLifetime: 'refreshTokenAbsolute',
  idTokenLifetime: 'idToken',
} as const
const none = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime: null, idTokenLifetime: null }

function* effectsOnTokens(before: Organisation, after: Organisation): Generator<Effect> {
  const former = effectiveLifetimes(none, tokenLifetimesOf(before.tokenLifetimePolicy))
  const followed = effectiveLifetimes(none, tokenLifetimesOf(after.tokenLifetimePolicy))
  for (const [lifetime, name] of Object.entries(lifetimes) as [keyof typeof lifetimes, string][]) {
    if (former[lifetime] === followed[lifetime]) continue
    yield {
      field: `tokenLifetimePolicy.${name}`,
      effect: 'for-new-tokens',
      figures: { from: former[lifetime], to: followed[lifetime] },
      ofClients: (client) => client[lifetime] === null,
      detail: ({ clients }) =>
        `Applies to tokens that are issued from now on to applications without a lifetime of their own: ${counted(clients, 'application')}`,
    }
  }
}

/**
 * The users whom each effect concerns, among those who are neither deleted nor blocked: their number, and the first of them. One statement
 * reads the users once for all effects; PostgreSQL leaves out joins that no condition uses.
 */
async function findUsers(
  tenant: Tenant,
  effects: readonly Effect[],
  { id: rpId = '' }: RelyingParty,
): Promise<Map<number, Pick<Concerned, 'users' | 'sample'>>> {
  const conditions = effects.flatMap(({ ofUsers }, index) => (ofUsers ? { index, ofUsers } : []))
  if (conditions.length === 0) return new Map()
  const { organisationId } = tenant
  const { rows } = await sql<Pick<Concerned, 'users' | 'sample'>>`
    with concerned as materialized (
      select * from (
        select u.id, u.name, u.email, array[${sql.join(conditions.map(({ ofUsers }) => ofUsers))}] as by
        from users u
        left join (
          select user_id, bool_or(can_sign_in) as signs_in from passkeys
          where organisation_id = ${organisationId} and rp_id = ${rpId} group by user_id
        ) held on held.user_id = u.id
        left join (
          select user_id, array_agg(method) as methods from mfa_credentials
          where organisation_id = ${organisationId} and verified_at is not null group by user_id
        ) factors on factors.user_id = u.id
        left join (
          select user_id from mfa_backup_codes where organisation_id = ${organisationId} group by user_id
        ) codes on codes.user_id = u.id
        left join (
          select i.user_id from identities i join connections c on c.organisation_id = i.organisation_id and c.id = i.connection_id
          where i.organisation_id = ${organisationId} and ${connectionSignsIn('c')} group by i.user_id
        ) linked on linked.user_id = u.id
        where u.organisation_id = ${organisationId} and u.deleted_at is null and u.blocked_at is null
      ) people
      where true = any (by)
    )
    select (select count(*)::int from concerned where by[n]) as "users",
      (select coalesce(json_agg(first), '[]') from (
        select id, name, email from concerned where by[n] order by id limit ${sampleSize}
      ) first) as "sample"
    from generate_series(1, ${conditions.length}::integer) n order by n`.execute(tenant)
  return new Map(conditions.map(({ index }, position) => [index, rows[position] ?? nobody]))
}

/** The applications that each effect concerns: their number, and the first of them. */
async function findClients(
  tenant: Tenant,
  effects: readonly Effect[],
): Promise<Map<number, Pick<Concerned, 'clients' | 'sampleOfClients'>>> {
  if (!effects.some(({ ofClients }) => ofClients)) return new Map()
  const all: StoredClient[] = await tenant
    .selectFrom('clients')
    .select(['id', 'name', 'redirectUris', 'postLogoutRedirectUris'])
    .select(['accessTokenLifetime', 'refreshTokenLifetime', 'refreshTokenAbsoluteLifetime', 'idTokenLifetime'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return new Map(
    effects.flatMap(({ ofClients }, index) => {
      if (!ofClients) return []
      const concerned = all.filter(ofClients)
      return [[index, { clients: concerned.length, sampleOfClients: concerned.slice(0, sampleSize).map(({ id, name }) => ({ id, name })) }]]
    }),
  )
}
