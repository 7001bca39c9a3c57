import type { Database, Tenant } from '../platform/database/database.ts'
import { findClient } from './queries.ts'

/** The name of an active client, which is locked against deletion until the end of the transaction. */
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
 * The URI at which an application starts a sign-in that a third party initiates, with a hint of the user
 * (OpenID Connect Core §4).
 *
 * @returns undefined when the client is deleted, revoked or has no such URI
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
