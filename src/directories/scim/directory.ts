import { sql } from 'kysely'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import type { GroupMapping, OrganisationStatus } from '../../platform/database/column-types.ts'
import type { Database, Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Voucher } from '../../roles/vouchers.ts'
import { credentialsRefused, organisationSuspended } from './scim-refusals.ts'

/** A directory, with the settings that decide its requests. */
export interface Directory extends Voucher {
  organisationId: string
  id: string
  name: string
  connectionId: string | null
  userMatch: 'email' | 'externalId'
  emailChanges: 'verified_domains' | 'refuse'
  deletes: 'block' | 'delete'
  groups: 'teams' | 'mappings_only'
  groupMappings: readonly GroupMapping[]
  organisationStatus: OrganisationStatus
  /** The token of the request; undefined for a request that is only tried. */
  tokenId: string | undefined
}

export interface AuthenticatedDirectory extends Directory {
  tokenId: string
  /** Whether no administrator has activated it yet: then it may only find out that it reaches us. */
  awaitsActivation: boolean
  tokenLastUsedAt: Date | null
  lastRequestAt: Date | null
}

const columns = `d.organisation_id as "organisationId", d.id, d.name, d.connection_id as "connectionId", d.user_match as "userMatch",
  d.email_changes as "emailChanges", d.deletes, d.groups, d.group_mappings as "groupMappings", d.vouched_by_id as "vouchedById",
  d.vouched_by_key_id as "vouchedByKeyId", o.status as "organisationStatus"`

const directoryByToken = statement<{ directoryId: string; tokenHash: string; now: Date }, AuthenticatedDirectory>(
  `select ${columns}, d.last_request_at as "lastRequestAt", d.awaits_activation as "awaitsActivation", t.id as "tokenId", t.last_used_at as "tokenLastUsedAt"
  from directory_tokens t
  join directories d on d.organisation_id = t.organisation_id and d.id = t.directory_id
  join organisations o on o.id = d.organisation_id
  where t.token_hash = :tokenHash and d.id = :directoryId and (d.is_active or d.awaits_activation) and (t.expires_at is null or t.expires_at > :now)
    and o.status <> 'cancelled'`,
  { crossesOrganisations: 'a token alone says of which organisation its directory is' },
)

const tokenPrefix = 'scim_'

/**
 * The directory at an address, active or about to be, by a valid token of its own. The token is found by its hash, so no time depends on its text.
 *
 * @throws ScimError 401
 */
export async function authenticate(database: Database, directoryId: string, token: string | undefined): Promise<AuthenticatedDirectory> {
  if (!token?.startsWith(tokenPrefix)) throw credentialsRefused()
  const now = database.clock.now()
  const directory = await database.pointRead(directoryByToken, { directoryId, tokenHash: hashSecret(token), now })
  if (!directory) throw credentialsRefused()
  return directory
}

/**
 * Asks again whether the directory has access, and holds the answer and its settings until the commit: whatever ends its access waits, or
 * came first. Every write begins with it; users, the organisation and groups are locked afterwards, in this order.
 *
 * @returns the directory with its present settings
 * @throws ScimError 401
 */
export async function holdDirectory(tenant: Tenant, { id, tokenId }: Pick<Directory, 'id' | 'tokenId'>): Promise<Directory> {
  const byToken = sql`
    join directory_tokens t on t.organisation_id = d.organisation_id and t.directory_id = d.id and t.id = ${tokenId}
      and (t.expires_at is null or t.expires_at > ${tenant.now})`
  const { rows } = await sql<Directory>`
    select ${sql.raw(columns)} from directories d join organisations o on o.id = d.organisation_id ${tokenId === undefined ? sql`` : byToken}
    where d.organisation_id = ${tenant.organisationId} and d.id = ${id} and d.is_active
    for share of d ${tokenId === undefined ? sql`` : sql`, t`}`.execute(tenant)
  const [held] = rows
  if (!held) throw credentialsRefused()
  return { ...held, tokenId }
}

/**
 * Holds the organisation as it is until the commit. A write has locked its users by then, as everything that locks both.
 *
 * @throws ScimError 403 while it is suspended, 401 once it is cancelled
 */
export async function holdOrganisation(tenant: Tenant): Promise<void> {
  const organisation = await tenant.selectFrom('organisations').select('status').forShare().executeTakeFirst()
  if (!organisation || organisation.status === 'cancelled') throw credentialsRefused()
  if (organisation.status === 'suspended') throw organisationSuspended()
}
