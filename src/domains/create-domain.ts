import type { Caller } from '../access/caller.ts'
import { holdCallerWith, lockUserOfCaller } from '../access/hold-caller.ts'
import { record } from '../activity/record.ts'
import { newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { newId } from '../platform/ids.ts'
import { requireEveryHeldPermission } from '../roles/require-every-held-permission.ts'
import { givesNoRoles } from '../roles/rules.ts'
import { presentDomainInHistory } from './present-domain.ts'
import { type Domain, insertDomain, isConnection, lockAndCountDomains } from './queries.ts'
import { connectionNotFound, publicSuffix, ssoNeedsConnection, tooManyDomains } from './refusals.ts'
import type { NewDomain } from './schemas.ts'

const domainsMax = 100

/**
 * Adds a domain, which the organisation has yet to prove. Until then its `sso` has no effect.
 *
 * @throws Problem `bad-request` for a public suffix, single sign-on without a connection, and the 101st domain; `not-found` for an
 *   unknown connection, `conflict` when the organisation has the domain already, `forbidden` for a connection that the caller may not
 *   assign
 * @param andThen what belongs to the same transaction
 */
export async function createDomain(
  database: Database,
  caller: Caller,
  { domain, sso, ...input }: NewDomain,
  andThen?: (tenant: Tenant, domain: Domain) => Promise<void>,
): Promise<Domain> {
  const connectionId = input.connectionId ?? null
  if (await isPublicSuffix(domain)) throw publicSuffix()
  if (sso !== 'off' && connectionId === null) throw ssoNeedsConnection()
  return database.transaction(caller.organisationId, async (tenant) => {
    await lockUserOfCaller(tenant, caller)
    if (connectionId !== null) await requireAssignable(tenant, caller, connectionId)
    if ((await lockAndCountDomains(tenant)) >= domainsMax) throw tooManyDomains()
    await holdCallerWith(tenant, caller, 'domains:update')
    const added = await insertDomain(tenant, { id: newId('dom', tenant.now), domain, challenge: newSecret(), connectionId, sso })
    await record(tenant, caller.actor, { action: 'domain.created', domain: presentDomainInHistory(added) })
    await andThen?.(tenant, added)
    return added
  })
}

/**
 * Refuses a caller who may not assign a domain to this connection, which from then on decides who the domain's users are.
 *
 * @throws Problem `not-found` for an unknown connection, `forbidden` when the caller lacks a permission that one of the users holds
 */
export async function requireAssignable(tenant: Tenant, caller: Caller, connectionId: string): Promise<void> {
  if (!(await isConnection(tenant, connectionId))) throw connectionNotFound()
  await requireEveryHeldPermission(tenant, caller, givesNoRoles)
}

/** Whether strangers can register domains below it, as below `co.uk` or `github.io`. */
async function isPublicSuffix(domain: string): Promise<boolean> {
  const { parse } = await import('tldts')
  return parse(domain, { allowPrivateDomains: true }).domain === null
}
