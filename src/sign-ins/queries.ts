import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import type {
  AuditLogsTable,
  AuthorizationCodesTable,
  DiagnosticsTable,
  MfaChallengesTable,
  SessionsTable,
  TokenFamiliesTable,
} from '../platform/database/tables.ts'
import type { StepKind } from './schemas.ts'

/** The most records of each kind that are read. */
export const recordsMax = 200

/** The audit actions that are steps of a sign-in. Other actions in its session are no steps. */
export const stepsOfActions = {
  'auth.email_code_requested': 'code_mailed',
  'login.failed': 'failed',
  'login.locked': 'locked',
  'auth.password_expired': 'new_password_asked',
  'login.success': 'signed_in',
  'user.created': 'account_created',
  'mfa.enabled': 'second_factor_enrolled',
  'passkey.registered': 'passkey_registered',
  'identity.linked': 'account_linked',
  'session.reauthenticated': 'proven_again',
  'session.stepped_up': 'stepped_up',
  'oauth2.consent.granted': 'consent_given',
  'oauth2.token.revoked': 'tokens_ended',
  'auth.logout': 'signed_out',
  'session.revoked': 'session_ended',
} as const satisfies Record<string, StepKind>

const actions = Object.keys(stepsOfActions)
const endings = ['auth.logout', 'session.revoked']

export type Entry = Pick<
  Selectable<AuditLogsTable>,
  | 'id'
  | 'action'
  | 'actorId'
  | 'actorName'
  | 'actorEmail'
  | 'targetType'
  | 'targetId'
  | 'targetName'
  | 'targetEmail'
  | 'metadata'
  | 'createdAt'
>

const entryColumns = [
  'id',
  'action',
  'actorId',
  'actorName',
  'actorEmail',
  'targetType',
  'targetId',
  'targetName',
  'targetEmail',
  'metadata',
  'createdAt',
] as const

/** The audit entries that were written in a sign-in, the oldest first. Of `user.created`, only that of its own user. */
export async function listEntries(tenant: Tenant, signInId: string): Promise<Entry[]> {
  return tenant
    .selectFrom('auditLogs')
    .select(entryColumns)
    .where('signInId', '=', signInId)
    .where(sql<boolean>`action = any(${actions}::text[]) and (action <> 'user.created' or target_id = actor_id)`)
    .orderBy('id')
    .limit(recordsMax + 1)
    .execute()
}

/** The entries about the end of the sessions, from any sign-in. */
export async function listEndings(tenant: Tenant, sessionIds: readonly string[]): Promise<Entry[]> {
  if (sessionIds.length === 0) return []
  return tenant
    .selectFrom('auditLogs')
    .select(entryColumns)
    .where(sql<boolean>`target_id = any(${sessionIds}::text[]) and action = any(${endings}::text[])`)
    .orderBy('id')
    .limit(recordsMax)
    .execute()
}

export type Session = Pick<
  Selectable<SessionsTable>,
  'id' | 'provenFactors' | 'connectionId' | 'idleTimeout' | 'lastActivityAt' | 'expiresAt' | 'createdAt' | 'revokedAt'
>

/** The sessions that have not been removed since they ended. */
export async function listSessions(tenant: Tenant, ids: readonly string[]): Promise<Session[]> {
  if (ids.length === 0) return []
  return tenant
    .selectFrom('sessions')
    .select(['id', 'provenFactors', 'connectionId', 'idleTimeout', 'lastActivityAt', 'expiresAt', 'createdAt', 'revokedAt'])
    .where('id', 'in', ids)
    .execute()
}

export type Challenge = Pick<Selectable<MfaChallengesTable>, 'provenFactors' | 'createdAt'>
export type Code = Pick<Selectable<AuthorizationCodesTable>, 'clientId' | 'scope' | 'createdAt' | 'sessionId'>
export type Family = Pick<Selectable<TokenFamiliesTable>, 'clientId' | 'scope' | 'createdAt' | 'refreshedAt' | 'revokedAt' | 'sessionId'>

/** The challenges, codes and token families of a sign-in: found by its users, since these tables have no index by sign-in. */
export async function listGranted(
  tenant: Tenant,
  signInId: string,
  userIds: readonly string[],
): Promise<{ challenges: Challenge[]; codes: Code[]; families: Family[] }> {
  if (userIds.length === 0) return { challenges: [], codes: [], families: [] }
  const limit = recordsMax + 1
  const [challenges, codes, families] = await Promise.all([
    tenant
      .selectFrom('mfaChallenges')
      .select(['provenFactors', 'createdAt'])
      .where('userId', 'in', userIds)
      .where('signInId', '=', signInId)
      .orderBy('createdAt')
      .limit(limit)
      .execute(),
    tenant
      .selectFrom('authorizationCodes')
      .select(['clientId', 'scope', 'createdAt', 'sessionId'])
      .where('userId', 'in', userIds)
      .where('signInId', '=', signInId)
      .orderBy('createdAt')
      .limit(limit)
      .execute(),
    tenant
      .selectFrom('tokenFamilies')
      .select(['clientId', 'scope', 'createdAt', 'refreshedAt', 'revokedAt', 'sessionId'])
      .where('userId', 'in', userIds)
      .where('signInId', '=', signInId)
      .orderBy('createdAt')
      .limit(limit)
      .execute(),
  ])
  return { challenges, codes, families }
}

export type Refusal = Pick<
  Selectable<DiagnosticsTable>,
  'reference' | 'clientId' | 'connectionId' | 'error' | 'description' | 'checks' | 'createdAt'
>

export async function listRefusals(tenant: Tenant, signInId: string): Promise<Refusal[]> {
  return tenant
    .selectFrom('diagnostics')
    .select(['reference', 'clientId', 'connectionId', 'error', 'description', 'checks', 'createdAt'])
    .where('signInId', '=', signInId)
    .orderBy('createdAt')
    .limit(recordsMax + 1)
    .execute()
}

export async function findNames(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from clients where id = any(${ids}::text[])
    union all select id, name from connections where id = any(${ids}::text[])`.execute(tenant)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
