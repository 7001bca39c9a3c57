/** An organisation with the records that requests to its API need. */
import { SignJWT } from 'jose'
import { newId } from '../../src/platform/ids.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { clientKey } from '../support/client-keys.ts'
import { createConnection, linkedIdentity } from '../support/connections.ts'
import { createDirectory } from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { type Given, type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import type { HttpClient } from '../support/http-client.ts'
import { givenApplication } from '../support/oauth.ts'
import { enrolPasskey, PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { resourceAuthorizationServer as createResourceAuthorizationServer } from '../support/resource-authorization-servers.ts'
import { resourceServer as createResourceServer } from '../support/resource-servers.ts'
import type { TestService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

export interface World {
  service: TestService
  given: Given
  anonymous: HttpClient
  operator: HttpClient
  organisation: TestOrganisation
  owner: SignedInUser
}

export async function worldOf(service: TestService): Promise<World> {
  const { given, anonymous, operator } = service
  const organisation = await given.organisation()
  return { service, given, anonymous, operator, organisation, owner: organisation.owner }
}

/** An API key without a secret, for a workload whose token it returns. It is made where the extension is off, too. */
export async function workload({ service, owner, organisation }: Pick<World, 'service' | 'owner' | 'organisation'>) {
  const cluster = await clientKey('ES256', 'cluster')
  const [issuer, subject] = ['https://kubernetes.acme.test', `system:serviceaccount:billing:${unique()}`]
  const credential = { name: 'Invoices', issuer, subject, claims: {}, jwks: { keys: [cluster.publicKey] } }
  const { id } = (await owner.post('/v1/admin/api-keys', { name: 'Invoices', permissions: [] })).body
  await service.database
    .tenant(organisation.id)
    .updateTable('apiKeys')
    .set({ federatedCredentials: JSON.stringify([credential]) })
    .where('id', '=', id)
    .execute()
  const now = Math.floor(service.clock.now().getTime() / 1_000)
  const token = await new SignJWT({ iss: issuer, sub: subject, aud: service.services.issuer, iat: now, exp: now + 300 })
    .setProtectedHeader({ alg: cluster.alg, kid: 'cluster' })
    .sign(cluster.privateKey)
  return { id: id as string, credential, token }
}

export const password = 'correct horse battery'

export const person = ({ owner, given }: World, permissions: string[] = []) => given.userWith(owner, permissions)

/** A user whose phone is the second factor. */
export async function withPhone(world: World) {
  await world.owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
  const user = await person(world)
  const phone = '+4915112345678'
  await user.post('/v1/me/mfa/enable', { method: 'sms', phone })
  await user.post('/v1/me/mfa/verify', { token: world.service.phones.codeTo(phone) })
  return user
}

/** A user with a passkey. */
export async function withPasskey(world: World) {
  const user = await person(world)
  const device = new PasskeyDevice()
  return { user, device, passkey: await registerPasskey(user, device) }
}

/** A user with a linked account at an identity provider. */
export async function withIdentity(world: World) {
  const user = await person(world)
  return { user, identity: await linkedIdentity(world.service, { organisationId: world.organisation.id, userId: user.id }) }
}

/** The token of a sign-in that waits for a passkey as its second factor. */
export async function waitingForPasskey(world: World): Promise<string> {
  const { owner, anonymous } = world
  await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms', 'passkey'] })
  const { user, device } = await withPasskey(world)
  await enrolPasskey(user, device)
  return (await anonymous.post('/v1/auth/login', { email: user.email, password })).body.mfaToken
}

export async function made(by: HttpClient, path: string, body: unknown): Promise<string> {
  const created = await by.post(path, body)
  if (created.status !== 201) throw new Error(`POST ${path} answered ${created.status} ${JSON.stringify(created.body)}`)
  return created.body.id
}

export const newClient = () => ({ name: 'Portal', clientType: 'confidential', redirectUris: ['https://portal.acme.test/callback'] })
export const client = ({ owner }: World) => made(owner, '/v1/admin/clients', newClient())
export const connection = async ({ owner }: World): Promise<string> => (await createConnection(owner)).id
export const resourceServer = async ({ owner }: World): Promise<string> => (await createResourceServer(owner)).id
export const resourceAuthorizationServer = async (world: World): Promise<string> =>
  (await createResourceAuthorizationServer(world.owner, await client(world))).id
export const directory = async ({ owner }: World): Promise<string> => (await createDirectory(owner)).id
export const newSetupLink = () => ({ name: 'Acme', purposes: ['domain', 'saml'] })
export const blockedHost = ({ owner }: World, host = `${unique()}.example`) => made(owner, '/v1/admin/blocked-client-hosts', { host })
export const setupLink = ({ owner }: World) => made(owner, '/v1/admin/setup-links', newSetupLink())
/** A link by which nothing was made that is still there. */
export async function finishedSetupLink(world: World): Promise<string> {
  const id = await setupLink(world)
  const tenant = world.service.database.tenant(world.organisation.id)
  await tenant.updateTable('setupLinks').set({ finishedAt: tenant.now }).where('id', '=', id).execute()
  return id
}
export const team = ({ owner }: World) => made(owner, '/v1/admin/teams', { name: 'Team', slug: `team-${unique()}` })
export const domain = ({ service, owner }: World) => verifiedDomain(service, owner)
export const endpoint = async ({ owner }: World) => (await createEndpoint(owner, { url: 'https://hooks.example.test/', events: ['*'] })).id
export const invitation = async (world: World, email = `invited-${unique()}@example.test`) => {
  const { id: roleId } = await world.given.role(world.owner)
  return made(world.owner, '/v1/admin/invitations', { email, roleId })
}

/** A webhook endpoint with a delivery that it was sent. */
export async function delivery(world: World) {
  const endpointId = await endpoint(world)
  await world.given.role(world.owner)
  const { body } = await world.owner.get(`/v1/admin/webhooks/${endpointId}/deliveries`)
  return { endpointId, deliveryId: body.data[0].id as string }
}

/** An application that is told of ended sessions, with a delivery. The address is set as it was while the extension was on. */
export async function logoutDelivery(world: World, clientId?: string) {
  const id = clientId ?? ((await givenApplication(world.service, { organisation: world.organisation })).id as string)
  const tenant = world.service.database.tenant(world.organisation.id)
  const backchannelLogoutUri = 'https://portal.example.test/backchannel-logout'
  await tenant.updateTable('clients').set({ backchannelLogoutUri }).where('id', '=', id).execute()
  const deliveryId = newId('lgd', tenant.now)
  await tenant
    .insertInto('logoutDeliveries')
    .values({
      ...{ id: deliveryId, clientId: id, userId: world.owner.id, sessionId: world.owner.sessionId },
      ...{ nextAttemptAt: tenant.now, createdAt: tenant.now },
    })
    .execute()
  return { clientId: id, deliveryId, path: `/v1/admin/clients/${id}/logout-deliveries` }
}

export async function enrolled(world: World) {
  const user = await person(world)
  return { user, ...(await enrolAuthenticator(user, world.service.clock)) }
}
