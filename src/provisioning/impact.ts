import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { placesOutside } from '../clients/rules.ts'
import type { Organisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { passwordPolicyOf, tokenLifetimesOf } from '../organisations/rules.ts'
import type { OrganisationChanges, OrganisationEffect } from '../organisations/schemas.ts'
import { daysAfter } from '../platform/clock.ts'
import type { Tenant } from '../platform/database/database.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import { changesTo } from './update-organisation.ts'

/** Users, or applications, that an effect concerns. */
type Concerned = Pick<OrganisationEffect, 'users' | 'sample'> & Partial<Pick<OrganisationEffect, 'clients' | 'sampleOfClients'>>
type Effect = Pick<OrganisationEffect, 'field' | 'effect' | 'figures'> & {
  detail: (concerned: Concerned) => string
  concerned?: Promise<Concerned>
}

const nobody: Concerned = { users: 0, sample: [] }
const sampleSize = 10

/**
 * What would follow if the settings were changed like this. Fields without such an effect, and those that would stay as they
 * are, are left out.
 *
 * @throws what the change would be refused with, except for a name or an address that is taken
 */
export async function organisationImpact(
  tenant: Tenant,
  caller: Caller,
  changes: OrganisationChanges,
  allowLoopbackPictures: boolean,
): Promise<OrganisationEffect[]> {
  const before = await getOwnOrganisation(tenant)
  const after = { ...before, ...changesTo(before, changes, allowLoopbackPictures) } as Organisation
  let found: Promise<Clients> | undefined
  const clients = () => (found ??= findClients(tenant))
  const effects = [
    ...effectsOnFactors(tenant, before, after),
    ...effectsOnPasswords(tenant, before, after),
    ...effectsOnSessions(tenant, before, after),
    ...effectsOnClients(clients, before, after),
    ...effectsOnTokens(clients, before, after),
  ]
  return Promise.all(
    effects.map(async ({ field, effect, figures, detail, concerned }) => {
      const whom = (await concerned) ?? nobody
      return {
        field,
        effect,
        figures,
        detail: detail(whom),
        users: whom.users,
        sample: caller.permissions.has('users:read') ? whom.sample : [],
        clients: whom.clients ?? 0,
        sampleOfClients: caller.permissions.has('clients:read') ? (whom.sampleOfClients ?? []) : [],
      }
    }),
  )
}

function* effectsOnFactors(tenant: Tenant, before: Organisation, after: Organisation): Generator<Effect> {
  const onlySms = after.allowedMfaMethods.join() === 'sms'
  if (after.requireMfa !== before.requireMfa) {
    yield {
      field: 'requireMfa',
      effect: after.requireMfa ? 'must-enrol' : 'need-not-enrol',
      figures: {},
      concerned: findUsers(tenant, sql`not u.mfa_enabled`),
      detail: ({ users }) =>
        after.requireMfa
          ? `${users} users must enrol a second factor at their next sign-in`
          : `${users} users without a second factor need none to sign in`,
    }
  }
  if (after.requireMfa && onlySms && !(before.requireMfa && before.allowedMfaMethods.join() === 'sms')) {
    yield {
      field: before.requireMfa ? 'allowedMfaMethods' : 'requireMfa',
      effect: 'no-phone-for-sms',
      figures: {},
      concerned: findUsers(tenant, sql`not u.mfa_enabled and u.phone is null`),
      detail: ({ users }) => `${users} users who must enrol have no telephone number on record, and SMS is the only method`,
    }
  }
  const withdrawn = before.allowedMfaMethods.filter((method) => !after.allowedMfaMethods.includes(method))
  if (withdrawn.length > 0) {
    yield {
      field: 'allowedMfaMethods',
      effect: 'factors-stay',
      figures: {},
      concerned: findUsers(
        tenant,
        sql`exists (select from mfa_credentials c where c.organisation_id = u.organisation_id and c.user_id = u.id
          and c.verified_at is not null and c.method = any (${withdrawn}::text[]))`,
      ),
      detail: ({ users }) => `${users} users have a factor of a method that can no longer be enrolled, and keep it`,
    }
  }
}

function* effectsOnPasswords(tenant: Tenant, before: Organisation, after: Organisation): Generator<Effect> {
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
  const olderThan = (days: number) => sql`u.password_changed_at <= ${daysAfter(tenant.now, -days)}::timestamptz`
  yield {
    field: 'passwordPolicy.maxAge',
    effect: isStricter ? 'password-expires' : 'password-no-longer-expires',
    figures: { ...(daysBefore !== undefined && { from: daysBefore }), ...(maxAgeDays !== undefined && { to: maxAgeDays }) },
    concerned: findUsers(tenant, sql`${olderThan(less ?? 0)} and not (${more === undefined ? sql`false` : olderThan(more)})`),
    detail: ({ users }) =>
      isStricter
        ? `${users} users must choose a new password at their next sign-in`
        : `${users} users who must choose a new password at their next sign-in need not any more`,
  }
}

function* effectsOnSessions(tenant: Tenant, before: Organisation, after: Organisation): Generator<Effect> {
  for (const field of ['sessionLifetime', 'sessionIdleTimeout'] as const) {
    if (after[field] === before[field]) continue
    yield {
      field,
      effect: 'for-new-sessions',
      figures: { from: before[field], to: after[field] },
      concerned: findUsers(
        tenant,
        sql`exists (select from sessions s where s.organisation_id = u.organisation_id and s.user_id = u.id and s.revoked_at is null
          and s.expires_at > ${tenant.now} and s.last_activity_at + make_interval(secs => s.idle_timeout) > ${tenant.now})`,
      ),
      detail: ({ users }) => `Applies to sessions that start from now on; ${users} users who are signed in stay so by the former value`,
    }
  }
}

function* effectsOnClients(clients: () => Promise<Clients>, before: Organisation, after: Organisation): Generator<Effect> {
  const lists = [
    ['allowedCallbackUrls', 'redirectUris'],
    ['allowedLogoutUrls', 'postLogoutRedirectUris'],
  ] as const
  for (const [field, uris] of lists) {
    const isOutside = (allowed: readonly string[], client: StoredUris) => placesOutside(allowed, client[uris]).length > 0
    if (after[field] === before[field]) continue
    yield {
      field,
      effect: 'clients-outside',
      figures: {},
      concerned: clients().then((found) =>
        concernedClients(found.filter((client) => isOutside(after[field], client) && !isOutside(before[field], client))),
      ),
      detail: ({ clients }) =>
        `${clients} applications have an address that is not in the list: it still works, and a change of their addresses would be refused`,
    }
  }
  const removed = before.allowedOrigins.filter((origin) => !after.allowedOrigins.includes(origin))
  if (removed.length > 0) {
    yield {
      field: 'allowedOrigins',
      effect: 'origins-removed',
      figures: { origins: removed.length },
      detail: () => `Pages of ${removed.length} origins can no longer read the API`,
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

function* effectsOnTokens(clients: () => Promise<Clients>, before: Organisation, after: Organisation): Generator<Effect> {
  const former = effectiveLifetimes(none, tokenLifetimesOf(before.tokenLifetimePolicy))
  const followed = effectiveLifetimes(none, tokenLifetimesOf(after.tokenLifetimePolicy))
  for (const [lifetime, name] of Object.entries(lifetimes) as [keyof typeof lifetimes, string][]) {
    if (former[lifetime] === followed[lifetime]) continue
    yield {
      field: `tokenLifetimePolicy.${name}`,
      effect: 'for-new-tokens',
      figures: { from: former[lifetime], to: followed[lifetime] },
      concerned: clients().then((found) => concernedClients(found.filter((client) => client[lifetime] === null))),
      detail: ({ clients }) =>
        `Applies to tokens that are issued from now on to the ${clients} applications that set no lifetime of their own`,
    }
  }
}

/** Users `u` who are neither deleted nor blocked and for whom the condition holds: their number, and the first of them. */
async function findUsers(tenant: Tenant, condition: RawBuilder<unknown>): Promise<Concerned> {
  const { rows } = await sql<Concerned>`
    with concerned as materialized (
      select u.id, u.name, u.email from users u
      where u.organisation_id = ${tenant.organisationId} and u.deleted_at is null and u.blocked_at is null and ${condition}
    )
    select (select count(*)::int from concerned) as "users",
      (select coalesce(json_agg(first), '[]') from (select * from concerned order by id limit ${sampleSize}) first) as "sample"`.execute(
    tenant,
  )
  return rows[0] ?? nobody
}

type StoredUris = Pick<Clients[number], 'redirectUris' | 'postLogoutRedirectUris'>
type Clients = Awaited<ReturnType<typeof findClients>>

const findClients = (tenant: Tenant) =>
  tenant
    .selectFrom('clients')
    .select(['id', 'name', 'redirectUris', 'postLogoutRedirectUris'])
    .select(['accessTokenLifetime', 'refreshTokenLifetime', 'refreshTokenAbsoluteLifetime', 'idTokenLifetime'])
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()

const concernedClients = (clients: readonly { id: string; name: string }[]): Concerned => ({
  ...nobody,
  clients: clients.length,
  sampleOfClients: clients.slice(0, sampleSize).map(({ id, name }) => ({ id, name })),
})
