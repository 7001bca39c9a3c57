import { type Selectable, sql } from 'kysely'
import type { SharedReads, Tenant } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { RegistrationTokensTable } from '../platform/database/tables.ts'
import { newId } from '../platform/ids.ts'

export type RegistrationToken = Omit<Selectable<RegistrationTokensTable>, 'organisationId' | 'tokenHash' | 'endedAt'>

const columns = [
  'registrationTokens.id',
  'registrationTokens.name',
  'registrationTokens.allowedGrantTypes',
  'registrationTokens.allowedScopes',
  'registrationTokens.expiresAt',
  'registrationTokens.maxUses',
  'registrationTokens.uses',
  'registrationTokens.lastUsedAt',
  'registrationTokens.createdById',
  'registrationTokens.createdAt',
] as const

/** Tokens that no administrator has ended, including expired and used up ones. */
const openTokens = (reads: SharedReads) =>
  reads.selectFrom('registrationTokens').select(columns).where('registrationTokens.endedAt', 'is', null)

/** All of them, the oldest first: there are at most 100. */
export async function listRegistrationTokens(tenant: Tenant): Promise<RegistrationToken[]> {
  return openTokens(tenant).orderBy('id').execute()
}

/** Counts the tokens. Locks the organisation's row until the end of the transaction, so that none is added meanwhile. */
export async function lockAndCountTokens(tenant: Tenant): Promise<number> {
  await tenant.selectFrom('organisations').select('id').forNoKeyUpdate().execute()
  const { count } = await tenant
    .selectFrom('registrationTokens')
    .select(sql<number>`count(*)`.as('count'))
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewRow = Pick<RegistrationToken, 'name' | 'allowedGrantTypes' | 'allowedScopes' | 'expiresAt' | 'maxUses' | 'createdById'> & {
  tokenHash: string
}

export async function insertRegistrationToken(tenant: Tenant, token: NewRow): Promise<RegistrationToken> {
  return tenant
    .insertInto('registrationTokens')
    .values({ id: newId('rgt', tenant.now), ...token, createdAt: tenant.now })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** @returns the token that this call ended; undefined when it ended none */
export async function claimEnd(tenant: Tenant, id: string): Promise<RegistrationToken | undefined> {
  return tenant
    .updateTable('registrationTokens')
    .set({ endedAt: tenant.now })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

/** What a token allows the clients that are registered by it. */
interface Allowance {
  allowedGrantTypes: string[]
  allowedScopes: string[]
}

export interface PresentedToken extends Allowance {
  organisationId: string
  id: string
}

export const usableToken = statement<{ tokenHash: string; now: Date }, PresentedToken>(
  `select t.organisation_id as "organisationId", t.id, t.allowed_grant_types as "allowedGrantTypes", t.allowed_scopes as "allowedScopes"
  from registration_tokens t join organisations o on o.id = t.organisation_id
  where t.token_hash = :tokenHash and t.ended_at is null and (t.expires_at is null or t.expires_at > :now)
    and (t.max_uses is null or t.uses < t.max_uses) and o.status in ('trial', 'active')`,
  { crossesOrganisations: 'the token alone says of which organisation it is' },
)

/** What a token allows, also after its end. */
export async function findAllowance(tenant: Tenant, id: string): Promise<Allowance | undefined> {
  return tenant.selectFrom('registrationTokens').select(['allowedGrantTypes', 'allowedScopes']).where('id', '=', id).executeTakeFirst()
}

/**
 * Counts a use of a token, and holds the token and its organisation until the end of the transaction.
 *
 * @returns false when the token can no longer be used
 */
export async function claimUse(tenant: Tenant, id: string): Promise<boolean> {
  const { rows } = await sql`
    update registration_tokens t set uses = t.uses + 1, last_used_at = ${tenant.now}
    from (select id from organisations where status in ('trial', 'active') for share) o
    where t.id = ${id} and o.id = t.organisation_id and t.ended_at is null and (t.expires_at is null or t.expires_at > ${tenant.now})
      and (t.max_uses is null or t.uses < t.max_uses)
    returning t.id`.execute(tenant)
  return rows.length > 0
}
