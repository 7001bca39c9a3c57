import type { Database, Tenant } from '../platform/database/database.ts'
import { findClient } from './queries.ts'

/** The name of a client that is not deleted, which stays until the end of the transaction. */
export async function findClientName(tenant: Tenant, id: string): Promise<string | undefined> {
  const client = await tenant
    .selectFrom('clients')
    .select('name')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return client?.name
}

/**
 * Where an application begins a sign-in that it has not asked for, by a user whom it need not ask who they are
 * (OpenID Connect Core §4).
 *
 * @returns undefined when the client is deleted, revoked or has no such address
 */
export async function findInitiation(
  database: Database,
  issuer: string,
  { organisationId, clientId, email }: { organisationId: string; clientId: string; email: string },
): Promise<string | undefined> {
  const client = await findClient(database.pointReads(organisationId), clientId)
  if (!client?.isActive || client.initiateLoginUri === null) return undefined
  const url = new URL(client.initiateLoginUri)
  url.searchParams.set('iss', issuer)
  url.searchParams.set('login_hint', email)
  return url.href
}
