import { type Selectable, sql } from 'kysely'
import { authenticationMethodsOf, type FactorName, takes } from '../access/factors.ts'
import { isLive } from '../access/rules.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { SessionsTable } from '../platform/database/tables.ts'
import { describeFactors, type ProvenFactor, readFactors, storedFactors, storedFactorsOfSession } from './proven-factors.ts'

export interface NewSession {
  id: string
  userId: string
  tokenHash: string
  ipAddress: string
  userAgent: string
  provenFactors: readonly ProvenFactor[]
  awaitsMfaEnrolment: boolean
  /** The hash that was checked: the session does not start if the password has changed since. Null after a second factor. */
  passwordHash: string | null
  /** The state that allowed the session: it does not start if the state has changed since. */
  decidedBy: { mfaEnabled: boolean; requireMfa: boolean; signInPolicy: StoredPolicy }
  /** The ID token of the identity provider, encrypted with the session's id as the context. */
  idTokenEncrypted: string | undefined
  signInId: string
}

/** On what a decision rests that lets a user in. */
export type Decided = Pick<NewSession, 'userId' | 'passwordHash' | 'decidedBy'> & { connectionId: string | null }

/**
 * The parts of a statement that find the user as `allowed`, unless a condition has changed since it was checked: the user has been blocked
 * or deleted, has another password or a second factor, the organisation has been suspended or requires more, the connection has been
 * deactivated, or the domain of the user's address requires another one. The rows with these conditions are locked until the commit, so a
 * change of one of them waits and then ends what has begun. Those of the connection and the domain are read by statements of their own
 * within this one, since a row that may be missing cannot be locked in a join; the others are locked last, and read again if they were
 * being changed.
 */
const mayBegin = ({ userId, passwordHash, decidedBy: { mfaEnabled, requireMfa, signInPolicy }, connectionId }: Decided) => sql`
    came_by as (
      select is_active, session_max_age_seconds from connections where id = ${connectionId} for share
    ), domain as (
      select d.status, d.sso, d.connection_id, d.bypass_user_ids
      from organisation_domains d
      join users u on u.organisation_id = d.organisation_id and split_part(u.email, '@', 2) = d.domain
      where u.id = ${userId}
      for share of d
    ), allowed as (
      select u.id, o.session_idle_timeout, o.session_lifetime, c.session_max_age_seconds
      from users u join organisations o on o.id = u.organisation_id left join came_by c on true
      where u.id = ${userId} and (${passwordHash}::text is null or u.password_hash = ${passwordHash})
        and u.blocked_at is null and u.deleted_at is null and o.status in ('trial', 'active')
        and u.mfa_enabled = ${mfaEnabled} and o.require_mfa = ${requireMfa} and o.sign_in_policy = ${JSON.stringify(signInPolicy ?? {})}::jsonb
        and (${connectionId}::text is null or c.is_active)
        and not exists (
          select from domain d
          where d.status = 'verified' and d.sso = 'required' and d.connection_id <> coalesce(${connectionId}, '')
            and u.id is distinct from o.owner_id and not (u.mfa_enabled and d.bypass_user_ids @> jsonb_build_array(u.id)))
      -- The user's row is written next: two sign-ins that both held it shared would wait for each other.
      for no key update of u for share of o
    )`

/** Holds a user who may begin a session now, without beginning one. @returns whether they may */
export async function holdWhoMayBegin(tenant: Tenant, decided: Decided): Promise<boolean> {
  const { rows } = await sql`with ${mayBegin(decided)} select id from allowed`.execute(tenant)
  return rows.length > 0
}

/**
 * Starts a session, unless a condition has changed since it was checked.
 *
 * The time of the sign-in is that of the latest proof: a proof that a provider made days ago is not new just because it has arrived now.
 *
 * @returns undefined when the session may not start
 */
export async function insertSession(tenant: Tenant, session: NewSession): Promise<{ expiresAt: Date } | undefined> {
  const upstream = session.provenFactors.find((factor) => factor.upstream)?.upstream
  const connectionId = upstream?.connectionId ?? null
  const authenticatedAt = latestProof(session.provenFactors)
  const { rows } = await sql<{ expiresAt: Date }>`
    with ${mayBegin({ ...session, connectionId })},
    bounded as (
      select *,
        -- The least of those that there are.
        least(${tenant.now}::timestamptz + make_interval(secs => session_max_age_seconds), ${upstream?.endsAt ?? null}::timestamptz)
          as federated_until
      from allowed
    )
    insert into sessions (id, user_id, token_hash, ip_address, user_agent, authenticated_at, proven_factors, authentication_methods,
      awaits_mfa_enrolment, connection_id, upstream_subject, upstream_session, id_token_encrypted, federated_until, idle_timeout,
      last_activity_at, expires_at, created_at, sign_in_id)
    select ${session.id}, id, ${session.tokenHash}, ${session.ipAddress}, ${session.userAgent}, ${authenticatedAt}::timestamptz,
      ${storedFactorsOfSession(session.provenFactors)}::jsonb, ${methodsOf(session.provenFactors)}::text[], ${session.awaitsMfaEnrolment}::boolean,
      ${connectionId}, ${upstream?.subject ?? null}, ${upstream?.sessionId ?? null},
      ${session.idTokenEncrypted ?? null}, federated_until, session_idle_timeout,
      ${tenant.now}::timestamptz, least(${tenant.now}::timestamptz + make_interval(secs => session_lifetime), federated_until),
      ${tenant.now}::timestamptz, ${session.signInId}
    from bounded
    returning expires_at`.execute(tenant)
  return rows[0]
}

const latestProof = (proven: readonly ProvenFactor[]) => new Date(Math.max(...proven.map(({ provenAt }) => provenAt.getTime())))

/** @returns the session that this call revoked, undefined when none was live */
export async function revokeSession(tenant: Tenant, id: string, userId: string) {
  const session = await tenant
    .updateTable('sessions')
    .set({ revokedAt: tenant.now })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .returning([
      'id',
      'ipAddress',
      'userAgent',
      'lastActivityAt',
      'expiresAt',
      'createdAt',
      'idleTimeout',
      'connectionId',
      'idTokenEncrypted',
    ])
    .executeTakeFirst()
  return session && isLive({ ...session, revokedAt: null }, tenant.now) ? session : undefined
}

/**
 * Turns a session that awaits enrolment into a full one, under a new cookie and with the newly proven factors.
 *
 * @param hasMoreToEnrol whether something else has to be enrolled, so that only the factors are added
 * @returns undefined when the session did not await enrolment, or still does
 */
export async function upgradeSession(
  tenant: Tenant,
  id: string,
  tokenHash: string,
  proven: readonly ProvenFactor[],
  { hasMoreToEnrol = false } = {},
): Promise<{ expiresAt: Date } | undefined> {
  const waiting = await tenant
    .selectFrom('sessions')
    .select(['provenFactors', 'authenticationMethods', 'authenticatedAt', 'expiresAt'])
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('awaitsMfaEnrolment', '=', true)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting) return undefined
  const { expiresAt } = waiting
  const provenFactors = withFactors(waiting, proven)
  await tenant
    .updateTable('sessions')
    .$if(!hasMoreToEnrol, (update) => update.set({ tokenHash, awaitsMfaEnrolment: false }))
    .set({ provenFactors: storedFactors(provenFactors), authenticationMethods: methodsOf(provenFactors) })
    .where('id', '=', id)
    .execute()
  return hasMoreToEnrol ? undefined : { expiresAt }
}

/** A proof that the user of a session is still the same. */
export interface Reauthentication {
  sessionId: string
  factor: FactorName
  /** The hash that was checked: the user may have got another password or a second factor since. Null for other factors. */
  passwordHash: string | null
}

/**
 * Records in an active session that its user has just proven who they are.
 *
 * @returns undefined when the session has ended, or the proof does not suffice any more
 */
export async function markReauthenticated(tenant: Tenant, { sessionId, factor, passwordHash }: Reauthentication) {
  return tenant
    .updateTable('sessions')
    .set({ reauthenticatedAt: tenant.now, reauthenticatedWith: factor })
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .$if(passwordHash !== null, (update) =>
      update.where((session) =>
        session.exists(
          session
            .selectFrom('users')
            .select('users.id')
            .whereRef('users.organisationId', '=', 'sessions.organisationId')
            .whereRef('users.id', '=', 'sessions.userId')
            .where('users.passwordHash', '=', passwordHash)
            .where('users.mfaEnabled', '=', false),
        ),
      ),
    )
    .returning(['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt'])
    .executeTakeFirst()
}

/** Whether a session is still in use with this cookie. */
export async function isCookieOf(tenant: Tenant, id: string, tokenHash: string): Promise<boolean> {
  const session = await tenant
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return session !== undefined
}

/**
 * Adds factors that the user has just proven to a full session, under a new cookie. The time of the sign-in changes only if they begin a
 * sign-in. Of several calls with one cookie, one succeeds.
 *
 * @returns undefined when the session has ended, or has another cookie by now
 */
export async function stepUpSession(tenant: Tenant, { id, tokenHash, newTokenHash, proven }: StepUp) {
  const session = await tenant
    .selectFrom('sessions')
    .select(['provenFactors', 'authenticationMethods', 'authenticatedAt'])
    .where('id', '=', id)
    .where('tokenHash', '=', tokenHash)
    .where('revokedAt', 'is', null)
    .where('awaitsMfaEnrolment', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (!session) return undefined
  const provenFactors = withFactors(session, proven)
  const begins = takes('first', describeFactors(proven))
  const changed = await tenant
    .updateTable('sessions')
    .set({ tokenHash: newTokenHash, reauthenticatedAt: tenant.now, reauthenticatedWith: proven[0].factor })
    .set({ provenFactors: storedFactors(provenFactors), authenticationMethods: methodsOf(provenFactors) })
    .$if(begins, (update) => update.set({ authenticatedAt: proven[0].provenAt }))
    .where('id', '=', id)
    .returning(['id', 'ipAddress', 'userAgent', 'lastActivityAt', 'expiresAt', 'createdAt'])
    .executeTakeFirstOrThrow()
  return { session: changed, provenFactors }
}

/** The factors that a session has proven, in their order in time. */
export async function findProvenFactors(tenant: Tenant, sessionId: string): Promise<ProvenFactor[]> {
  const session = await tenant
    .selectFrom('sessions')
    .select(['provenFactors', 'authenticationMethods', 'authenticatedAt'])
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session ? withFactors(session, []) : []
}

interface StepUp {
  id: string
  /** The hash of the request's cookie. */
  tokenHash: string
  newTokenHash: string
  proven: readonly [ProvenFactor, ...ProvenFactor[]]
}

/** The proven factors of a session, with the new ones. */
function withFactors(
  { provenFactors, authenticationMethods, authenticatedAt: provenAt }: StoredFactors,
  proven: readonly ProvenFactor[],
): ProvenFactor[] {
  const earlier = readFactors(provenFactors, { authenticationMethods, provenAt })
  return [...earlier.filter(({ factor }) => proven.every((one) => one.factor !== factor)), ...proven]
}

type StoredFactors = Pick<Selectable<SessionsTable>, 'provenFactors' | 'authenticationMethods' | 'authenticatedAt'>

const methodsOf = (proven: readonly ProvenFactor[]) => authenticationMethodsOf(describeFactors(proven))
