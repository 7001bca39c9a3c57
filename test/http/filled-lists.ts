import { linkedIdentity } from '../support/connections.ts'
import { loggedRequest } from '../support/directories.ts'
import { addDomain, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { type DescribedRoute, fieldsOf, jsonSchemaOf } from './described.ts'
import { fillOrdinaryLists } from './ordinary.ts'
import { blockedHost, connection, directory, endpoint, invitation, logoutDelivery, resourceServer, setupLink, type World } from './world.ts'

const twice = async (make: () => Promise<unknown>) => {
  await make()
  await make()
}

/** Fills every list of an organisation, and of its owner. Returns the ids that stand in the paths of lists. */
export async function fillLists(world: World): Promise<Record<string, string>> {
  const { organisation, owner, given } = world
  await twice(() => given.user(owner))
  const team = (await owner.post('/v1/admin/teams', { name: 'Support', slug: 'support' })).body.id
  await owner.post('/v1/admin/teams', { name: 'Sales', slug: 'sales' })
  for (const user of (await owner.get('/v1/admin/users')).body.data)
    await owner.post(`/v1/admin/teams/${team}/members`, { userId: user.id })
  await twice(() => linkedIdentity(world.service, { organisationId: organisation.id, userId: owner.id }))
  await twice(() => registerPasskey(owner, new PasskeyDevice()))
  await twice(() => given.signIn(owner.email))
  await twice(() => invitation(world, undefined))
  await twice(() => connection(world))
  await twice(() => directory(world))
  await twice(() => resourceServer(world))
  await twice(() => owner.post('/v1/admin/registration-tokens', {}))
  await twice(() => setupLink(world))
  await twice(() => blockedHost(world))
  const directoryId = await directory(world)
  await twice(() => loggedRequest(world.service, { organisationId: organisation.id, directoryId }))
  await twice(() => addDomain(owner))
  await twice(() => owner.post('/v1/admin/api-keys', { name: 'Key', permissions: ['users:read'] }))
  const webhook = await endpoint(world)
  await endpoint(world)
  await fillOrdinaryLists(world)
  await twice(() => given.role(owner))
  const clients: string[] = []
  const colleague = await given.signIn((await given.user(owner)).email)
  for (const name of ['Portal', 'Wiki']) {
    const application = await givenApplication(world.service, { organisation, name })
    await application.signIn({ scope: 'openid offline_access' })
    await application.signIn({ scope: 'openid offline_access' }, colleague)
    clients.push(application.id)
    await twice(() => logoutDelivery(world, application.id))
    await application.token({ grant_type: 'nonsense' })
  }
  // Its signing key is the second one of the installation.
  await givenApplication(world.service, { organisation, name: 'Forum', idTokenSignedResponseAlg: 'RS256' })
  const records = { users: owner.id, teams: team, webhooks: webhook, directories: directoryId, clients: clients[0] as string }
  return { ...records, domains: await domainWithForeignAccounts(world) }
}

/** A verified domain in which another organisation has two accounts. */
async function domainWithForeignAccounts({ service, owner, given }: World): Promise<string> {
  const domain = uniqueDomain()
  const { owner: other } = await given.organisation()
  await twice(() => given.user(other, { email: `user-${unique()}@${domain}` }))
  return (await verifiedDomain(service, owner, { domain })).id
}

/** A list of at most one record, which no cursor follows. */
export const listOfOne = 'GET /v1/system/organisations/{id}/users'

export const takesCursor = ({ name: route, operation: { parameters = [], requestBody } }: DescribedRoute) =>
  route !== listOfOne && (parameters.some(({ name }) => name === 'cursor') || fieldsOf(jsonSchemaOf(requestBody)).includes('cursor'))

export const pathOf = (path: string, ids: Record<string, string>) =>
  path.replace(/(\w+)\/\{id\}/, (_, resource: string) => `${resource}/${ids[resource]}`)
