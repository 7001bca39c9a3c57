import type { Tenant } from '../../platform/database/database.ts'
import { statement } from '../../platform/database/statement.ts'
import type { RegisteredMetadata } from './metadata.ts'

export interface RegisteredClient {
  organisationId: string
  id: string
  registrationAccessTokenHash: string
}

export const registeredClient = statement<{ clientId: string }, RegisteredClient>(
  `select c.organisation_id as "organisationId", c.id, c.registration_access_token_hash as "registrationAccessTokenHash"
  from clients c join organisations o on o.id = c.organisation_id
  where c.id = :clientId and c.registration_access_token_hash is not null and c.deleted_at is null and c.is_active
    and o.status in ('trial', 'active')`,
  { crossesOrganisations: 'a client_id alone says of which organisation a client is' },
)

export interface StoredRegistration {
  registrationTokenId: string | null
  metadata: RegisteredMetadata
  secretHash: string | null
}

/** What a client has registered. */
export async function findRegistration(tenant: Tenant, id: string): Promise<StoredRegistration | undefined> {
  const found = await tenant
    .selectFrom('clients')
    .select(['registrationTokenId', 'registeredMetadata', 'secretHash'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!found?.registeredMetadata) return undefined
  const { registeredMetadata, ...registration } = found
  return { ...registration, metadata: registeredMetadata as unknown as RegisteredMetadata }
}
