/**
 * A request for each refusal of a route's own, beyond those of its access and its input. A route with `config.refuses` needs
 * a row here for each status.
 */
import { newSecret } from '../../src/platform/crypto/secrets.ts'
import { createConnection, newConnection } from '../support/connections.ts'
import { newDirectory } from '../support/directories.ts'
import { addDomain, insertConnection, publish, verifiedDomain } from '../support/domains.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { connect } from '../support/federation.ts'
import { unique } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { mailAsMuchAsAllowed } from '../support/invite.ts'
import { passkeyProof, tryPasskey } from '../support/passkeys.ts'
import { newResourceServer } from '../support/resource-servers.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { arrangeConditional, conditional } from './conditional.ts'
import { ordinaryConflicts } from './ordinary.ts'
import {
  blockedHost,
  client,
  connection,
  delivery,
  directory,
  domain,
  endpoint,
  enrolled,
  invitation,
  logoutDelivery,
  newClient,
  password,
  person,
  resourceServer,
  setupLink,
  team,
  type World,
  withPasskey,
  withPhone,
  workload,
  worldOf,
} from './world.ts'

type Provocation = (world: World) => Promise<Answer>

/** Repeats a request until the rate limit refuses it. */
async function tooOften(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.status === 429) return answer
    if (answer.status >= 500) throw new Error(`It answered ${answer.status}`)
  }
}

/** A connection with metadata that cannot be read. */
const unreadable = { name: 'Acme', provider: 'saml', configuration: { metadataXml: '<a/>' } }

const readTooOften = (owner: HttpClient) => tooOften(() => owner.post('/v1/admin/connections', { ...unreadable, slug: 'acme' }))

const twice = (path: string, body: object, by: 'owner' | 'operator' = 'owner') => {
  return async (world: World) => {
    await world[by].post(path, body)
    return world[by].post(path, body)
  }
}

const wrongCodes = (path: string, body: object) => async (world: World) => {
  const { user } = await enrolled(world)
  await tooOften(() => user.post('/v1/me/mfa/check', { token: '000000' }))
  return user.post(path, body)
}

/** A sign-in after the password and before the second factor. */
async function halfSignedIn(world: World, email: string): Promise<string> {
  return (await world.anonymous.post('/v1/auth/login', { email, password })).body.mfaToken
}

async function whereSignUpIsOpen(provoke: (service: TestService) => Promise<Answer>): Promise<Answer> {
  const service = await startTestService({ environment: { SIGNUP: 'open' } })
  try {
    return await provoke(service)
  } finally {
    await service.stop()
  }
}

/** Where workloads may authenticate by the token of their platform. */
async function forWorkloads(provoke: (world: World) => Promise<Answer>): Promise<Answer> {
  const service = await startTestService({ environment: { OAUTH_EXTENSIONS: 'federated_credentials' } })
  try {
    return await provoke(await worldOf(service))
  } finally {
    await service.stop()
  }
}

const exchange = ({ anonymous }: World, apiKeyId: string) => anonymous.post('/v1/auth/api-keys/exchange', { apiKeyId, token: 'no token' })

function signUp({ anonymous }: TestService, ownerEmail = `owner-${unique()}@example.test`): Promise<Answer> {
  const slug = `org-${unique()}`
  return anonymous.post('/v1/organisations', { name: slug, slug, email: `it@${slug}.test`, ownerEmail })
}

async function acceptance(world: World, email: string) {
  await invitation(world, email)
  const token = await world.service.mailbox.tokenTo(email)
  return () => world.anonymous.post('/v1/auth/invitations/accept', { token, firstName: 'Ida', lastName: 'Invited', password })
}

const ofOrganisation = ({ organisation }: World, change: string) => `/v1/system/organisations/${organisation.id}${change}`

async function whenCancelled(world: World, change: string, body?: object): Promise<Answer> {
  await world.operator.delete(ofOrganisation(world, ''))
  return world.operator.patch(ofOrganisation(world, change), body)
}

async function replayTo(inactive: World, path: (ids: { endpointId: string; deliveryId: string }) => string, body?: object) {
  const ids = await delivery(inactive)
  await inactive.owner.patch(`/v1/admin/webhooks/${ids.endpointId}`, { isActive: false })
  return inactive.owner.post(path(ids), body)
}

/** The same request that succeeds, for a record as it never was. */
const changedSince = (name: string) => async (world: World) => {
  const { method, path, body } = await arrangeConditional(name, world)
  return world.owner.request(method, path, { body, headers: { 'if-match': '"other"' } })
}

export const ownRefusals: Record<string, Provocation> = {
  ...ordinaryConflicts,
  ...Object.fromEntries(conditional.map((name) => [`${name} 412`, changedSince(name)])),
  'POST /v1/admin/configuration/plan 429': async ({ owner }) => {
    await readTooOften(owner)
    return owner.post('/v1/admin/configuration/plan', { document: { connections: { acme: unreadable } } })
  },
  'POST /v1/admin/configuration/apply 429': async ({ owner }) => {
    await readTooOften(owner)
    return owner.post('/v1/admin/configuration/apply', { document: { connections: { acme: unreadable } } })
  },
  'POST /v1/admin/configuration/plan 409': async ({ given, owner }) => {
    const identifier = `https://api.example.test/${unique()}`
    await (await given.organisation()).owner.post('/v1/admin/resource-servers', { name: 'Taken', identifier })
    return owner.post('/v1/admin/configuration/plan', { document: { resourceServers: { taken: { name: 'Taken', identifier } } } })
  },
  'POST /v1/admin/configuration/apply 409': ({ owner }) =>
    owner.post('/v1/admin/configuration/apply', { document: { teams: {} }, basis: '0' }),
  'POST /v1/admin/audit-logs/{id}/undo 409': async (world) => {
    const path = `/v1/admin/teams/${await team(world)}`
    await world.owner.patch(path, { name: 'Changed' })
    const [entry] = await world.owner.audit({ action: 'team.updated' })
    await world.owner.patch(path, { name: 'Changed again' })
    return world.owner.post(`/v1/admin/audit-logs/${entry.id}/undo`)
  },
  'POST /v1/admin/users 409': twice('/v1/admin/users', { email: `taken-${unique()}@example.test`, firstName: 'A', lastName: 'B' }),
  'POST /v1/admin/roles 409': twice('/v1/admin/roles', { name: 'Taken', slug: 'taken' }),
  'POST /v1/admin/domains 409': twice('/v1/admin/domains', { domain: 'taken.example' }),
  'POST /v1/admin/domains/{id}/verify 409': async ({ service, given, owner }) => {
    const { domain } = await verifiedDomain(service, (await given.organisation()).owner)
    const added = await addDomain(owner, { domain })
    publish(service, added)
    return owner.post(`/v1/admin/domains/${added.id}/verify`)
  },
  'POST /v1/admin/domains/{id}/verify 429': async (world) => {
    const { id } = await domain(world)
    return tooOften(() => world.owner.post(`/v1/admin/domains/${id}/verify`))
  },
  'POST /v1/admin/sign-in-checks 429': async ({ service, owner }) => {
    const limit = service.services.limits.signInChecksByCaller
    for (let asked = 0; asked < 60; asked++) await limit.count(owner.id)
    return owner.post('/v1/admin/sign-in-checks', { email: owner.email })
  },
  'POST /v1/admin/assertion-checks 429': async ({ service, owner }) => {
    const limit = service.services.limits.assertionChecksByCaller
    for (let asked = 0; asked < 60; asked++) await limit.count(owner.id)
    return owner.post('/v1/admin/assertion-checks', { assertion: 'no assertion' })
  },
  'POST /v1/admin/directories/{id}/requests/try 429': async (world) => {
    const path = `/v1/admin/directories/${await directory(world)}/requests/try`
    const limit = world.service.services.limits.triedRequestsByOrganisation
    for (let tried = 0; tried < 60; tried++) await limit.count(world.organisation.id)
    return world.owner.post(path, { method: 'GET', path: '/Users' })
  },
  'POST /v1/system/sign-in-checks 404': async ({ operator, owner }) =>
    operator.post('/v1/system/sign-in-checks', { email: owner.email, clientId: 'cli_unknown' }),
  'POST /v1/admin/teams 409': twice('/v1/admin/teams', { name: 'Taken', slug: 'taken' }),
  'POST /v1/admin/users 429': async ({ service, given }) => {
    const { owner } = await given.organisation({ status: 'trial' })
    await mailAsMuchAsAllowed(service, owner)
    return owner.post('/v1/admin/users', { email: `user-${unique()}@example.test`, firstName: 'A', lastName: 'B', password })
  },
  'POST /v1/admin/users/{id}/password-reset 429': async ({ given, owner }) => {
    const { id } = await given.user(owner)
    return tooOften(() => owner.post(`/v1/admin/users/${id}/password-reset`))
  },
  'POST /v1/admin/invitations 429': async ({ given, owner }) => {
    const { id: roleId } = await given.role(owner)
    const email = `invited-${unique()}@example.test`
    return tooOften(async () => {
      const invited = await owner.post('/v1/admin/invitations', { email, roleId })
      await owner.delete(`/v1/admin/invitations/${invited.body.id}`)
      return invited
    })
  },
  'POST /v1/admin/invitations/{id}/resend 429': async (world) => {
    const id = await invitation(world)
    return tooOften(() => world.owner.post(`/v1/admin/invitations/${id}/resend`))
  },
  'PATCH /v1/admin/organisation 409': async (world) => {
    const { name } = await world.given.organisation()
    return world.owner.patch('/v1/admin/organisation', { name })
  },
  'PATCH /v1/admin/webhooks/{id} 409': async (world) => {
    const id = await endpoint(world)
    const secretEncrypted = world.service.services.keyring.encrypt(newSecret('whsec_'), id)
    await world.service.database
      .tenant(world.organisation.id)
      .updateTable('webhookEndpoints')
      .set({ secretEncrypted })
      .where('id', '=', id)
      .execute()
    return world.owner.patch(`/v1/admin/webhooks/${id}`, { standardSignature: true })
  },
  'POST /v1/admin/clients/{id}/logout-deliveries/{deliveryId}/replay 409': async (world) => {
    const { clientId, path, deliveryId } = await logoutDelivery(world)
    await world.owner.patch(`/v1/admin/clients/${clientId}`, { backchannelLogoutUri: null })
    return world.owner.post(`${path}/${deliveryId}/replay`)
  },
  'POST /v1/admin/clients/{id}/logout-deliveries/test 409': async (world) => {
    const { clientId, path } = await logoutDelivery(world)
    await world.owner.patch(`/v1/admin/clients/${clientId}`, { backchannelLogoutUri: null })
    return world.owner.post(`${path}/test`)
  },
  'POST /v1/admin/webhooks/{id}/replay 409': (world) =>
    replayTo(world, ({ endpointId }) => `/v1/admin/webhooks/${endpointId}/replay`, { from: '2026-01-01T00:00:00Z' }),
  'POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/replay 409': (world) =>
    replayTo(world, ({ endpointId, deliveryId }) => `/v1/admin/webhooks/${endpointId}/deliveries/${deliveryId}/replay`),

  'POST /v1/organisations 409': async (world) => {
    const { slug, name } = world.organisation
    return world.operator.post('/v1/organisations', { slug, name, email: `it-${unique()}@a.test`, ownerEmail: `o-${unique()}@a.test` })
  },
  'POST /v1/organisations 429': () => whereSignUpIsOpen((service) => tooOften(() => signUp(service))),
  'PATCH /v1/system/organisations/{id}/suspend 409': (world) => whenCancelled(world, '/suspend', { reason: 'Unpaid' }),
  'PATCH /v1/system/organisations/{id}/activate 409': (world) => whenCancelled(world, '/activate'),
  'POST /v1/system/organisations/{id}/restore 409': (world) => world.operator.post(ofOrganisation(world, '/restore')),
  'POST /v1/system/signing-keys/rotate 409': twice('/v1/system/signing-keys/rotate', {}, 'operator'),
  'POST /v1/system/organisations/{id}/users/{userId}/recover 409': async (world) => {
    const { id } = await world.given.user(world.owner)
    await world.owner.patch(`/v1/admin/users/${id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    return world.operator.post(ofOrganisation(world, `/users/${id}/recover`), { passwordLink: true })
  },
  'POST /v1/system/organisations/{id}/transfer-ownership 409': async (world) => {
    await world.operator.delete(ofOrganisation(world, ''))
    return world.operator.post(ofOrganisation(world, '/transfer-ownership'), { userId: world.owner.id })
  },
  'POST /v1/system/permissions 409': twice(
    '/v1/system/permissions',
    { slug: `taken:${unique()}`, name: 'Taken', description: 'Taken', category: 'users' },
    'operator',
  ),

  'POST /v1/auth/login 401': ({ anonymous }) => anonymous.post('/v1/auth/login', { email: 'nobody@example.test', password }),
  'POST /v1/auth/login 403': async (world) => {
    const { id, email } = await world.given.user(world.owner)
    await world.owner.patch(`/v1/admin/users/${id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    return world.anonymous.post('/v1/auth/login', { email, password })
  },
  'POST /v1/auth/login 429': ({ anonymous }) => {
    const email = `nobody-${unique()}@example.test`
    return tooOften(() => anonymous.post('/v1/auth/login', { email, password }))
  },
  'POST /v1/auth/login/mfa 401': ({ anonymous }) => anonymous.post('/v1/auth/login/mfa', { mfaToken: 'unknown', code: '000000' }),
  'POST /v1/auth/login/mfa 403': async (world) => {
    const { user } = await enrolled(world)
    const mfaToken = await halfSignedIn(world, user.email)
    await world.operator.patch(ofOrganisation(world, '/suspend'), { reason: 'Unpaid' })
    return world.anonymous.post('/v1/auth/login/mfa', { mfaToken, code: '000000' })
  },
  'POST /v1/auth/login/mfa 429': async (world) => {
    const { user } = await enrolled(world)
    const mfaToken = await halfSignedIn(world, user.email)
    await tooOften(() => user.post('/v1/me/mfa/check', { token: '000000' }))
    return world.anonymous.post('/v1/auth/login/mfa', { mfaToken, code: '000000' })
  },
  'POST /v1/auth/login/mfa/passkey/options 401': ({ anonymous }) =>
    anonymous.post('/v1/auth/login/mfa/passkey/options', { mfaToken: 'unknown' }),
  'POST /v1/auth/passkey 401': async (world) => {
    const { device } = await withPasskey(world)
    const proof = await passkeyProof(world.anonymous, device)
    return world.anonymous.post('/v1/auth/passkey', { ...proof, flowToken: 'unknown' })
  },
  'POST /v1/auth/passkey 403': async (world) => {
    const { user, device } = await withPasskey(world)
    await world.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    return tryPasskey(world.anonymous, device)
  },
  'POST /v1/auth/passkey 429': async (world) => {
    const { device } = await withPasskey(world)
    const proof = await passkeyProof(world.anonymous, device)
    return tooOften(() => world.anonymous.post('/v1/auth/passkey', { ...proof, flowToken: 'unknown' }))
  },
  'POST /v1/auth/email-code 403': async ({ service, owner, anonymous, organisation }) => {
    const connectionId = await insertConnection(service, organisation.id)
    const { domain: required } = await verifiedDomain(service, owner, { connectionId, sso: 'required' })
    return anonymous.post('/v1/auth/email-code', { email: `carol@${required}` })
  },
  'POST /v1/auth/email-code 429': ({ anonymous }) => {
    const email = `nobody-${unique()}@example.test`
    return tooOften(() => anonymous.post('/v1/auth/email-code', { email }))
  },
  'POST /v1/auth/email-code/verify 403': async (world) => {
    await world.owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
    const user = await person(world)
    const proof = await emailCodeFor(world.service, user.email)
    await world.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: '2026-01-01T00:00:00Z' })
    return world.anonymous.post('/v1/auth/email-code/verify', proof)
  },
  'POST /v1/auth/identify 429': ({ anonymous }) => tooOften(() => anonymous.post('/v1/auth/identify', { email: 'ada@unknown.test' })),
  'POST /v1/auth/email-code/verify 429': async ({ anonymous }) => {
    const email = `nobody-${unique()}@example.test`
    const { flowToken } = (await anonymous.post('/v1/auth/email-code', { email })).body
    await tooOften(() => anonymous.post('/v1/auth/login', { email, password: 'a wrong one' }))
    return anonymous.post('/v1/auth/email-code/verify', { flowToken, code: '00000000' })
  },
  'POST /v1/auth/login/mfa/code 401': ({ anonymous }) => anonymous.post('/v1/auth/login/mfa/code', { mfaToken: 'unknown' }),
  'POST /v1/auth/login/mfa/code 429': async (world) => {
    const mfaToken = await halfSignedIn(world, (await withPhone(world)).email)
    return tooOften(() => world.anonymous.post('/v1/auth/login/mfa/code', { mfaToken }))
  },
  'POST /v1/auth/password/forgot 429': ({ anonymous }) => {
    const email = `nobody-${unique()}@example.test`
    return tooOften(() => anonymous.post('/v1/auth/password/forgot', { email }))
  },
  'POST /v1/auth/password/reset 429': async (world) => {
    const user = await person(world)
    const { owner, service } = world
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { preventReuse: 1 } })
    await owner.post(`/v1/admin/users/${user.id}/password-reset`)
    const token = await service.mailbox.tokenTo(user.email, 'Choose a new password')
    return tooOften(() => world.anonymous.post('/v1/auth/password/reset', { token, password: user.password }))
  },
  'POST /v1/auth/password/reset 409': () =>
    whereSignUpIsOpen(async (service) => {
      const ownerEmail = `owner-${unique()}@example.test`
      await signUp(service, ownerEmail)
      const token = await service.mailbox.tokenTo(ownerEmail)
      const { owner } = await service.given.organisation()
      await service.given.user(owner, { email: ownerEmail })
      return service.anonymous.post('/v1/auth/password/reset', { token, password })
    }),
  'POST /v1/auth/invitations/accept 403': async (world) => {
    const accept = await acceptance(world, `invited-${unique()}@example.test`)
    await world.operator.patch(ofOrganisation(world, '/suspend'), { reason: 'Unpaid' })
    return accept()
  },
  'POST /v1/auth/invitations/accept 409': async (world) => {
    const email = `invited-${unique()}@example.test`
    const accept = await acceptance(world, email)
    await world.given.user(world.owner, { email })
    return accept()
  },

  'POST /v1/me/identities 403': async (world) => {
    const connectionId = await connect(world.service, world.organisation, { issuer: 'http://127.0.0.1:9' }, { isActive: false })
    return (await person(world)).post('/v1/me/identities', { connectionId })
  },
  'POST /v1/me/identities 404': async (world) => (await person(world)).post('/v1/me/identities', { connectionId: 'con_unknown' }),
  'POST /v1/me/passkeys 409': async (world) => {
    const { user, device } = await withPasskey(world)
    const { flowToken, options } = (await user.post('/v1/me/passkeys/options')).body
    const credential = device.create({ ...options, excludeCredentials: [] })
    await user.post('/v1/me/passkeys', { flowToken, credential })
    return user.post('/v1/me/passkeys', { flowToken, credential })
  },
  'POST /v1/admin/connections/{id}/rotate-keys 409': async ({ owner }) => {
    const configuration = { issuer: 'https://login.acme.test', clientId: 'gatehouse', clientAuthentication: 'private_key_jwt' }
    const { id } = await createConnection(owner, { configuration, secret: undefined })
    return owner.post(`/v1/admin/connections/${id}/rotate-keys`, { activate: true })
  },
  'POST /v1/auth/api-keys/exchange 401': () => forWorkloads(async (world) => exchange(world, (await workload(world)).id)),
  'POST /v1/auth/api-keys/exchange 404': (world) => exchange(world, 'key_unknown'),
  'POST /v1/auth/api-keys/exchange 429': () => forWorkloads((world) => tooOften(() => exchange(world, 'key_unknown'))),
  'POST /v1/admin/api-keys 409': () =>
    forWorkloads(async (world) => {
      const { credential } = await workload(world)
      return world.owner.post('/v1/admin/api-keys', { name: 'Again', permissions: [], federatedCredentials: [credential] })
    }),
  'PATCH /v1/admin/api-keys/{id} 409': () =>
    forWorkloads(async (world) => {
      const [{ id }, { credential }] = [await workload(world), await workload(world)]
      return world.owner.patch(`/v1/admin/api-keys/${id}`, { federatedCredentials: [credential] })
    }),
  'POST /v1/admin/clients 409': () =>
    forWorkloads(async (world) => {
      const federatedCredentials = [(await workload(world)).credential]
      return world.owner.post('/v1/admin/clients', { ...newClient(), federatedCredentials })
    }),
  'PATCH /v1/admin/clients/{id} 409': () =>
    forWorkloads(async (world) => {
      const federatedCredentials = [(await workload(world)).credential]
      return world.owner.patch(`/v1/admin/clients/${await client(world)}`, { federatedCredentials })
    }),
  'POST /v1/admin/connections 409': async ({ owner }) => {
    const body = newConnection()
    await owner.post('/v1/admin/connections', body)
    return owner.post('/v1/admin/connections', body)
  },
  'POST /v1/admin/connections 429': ({ owner }) => readTooOften(owner),
  'PATCH /v1/admin/connections/{id} 429': async ({ owner }) => {
    const { id } = await createConnection(owner, { ...unreadable, configuration: {}, isActive: false, secret: undefined })
    await readTooOften(owner)
    return owner.patch(`/v1/admin/connections/${id}`, { configuration: unreadable.configuration })
  },
  'POST /v1/admin/connections/{id}/refresh 429': async ({ owner }) => {
    const { id } = await createConnection(owner, { provider: 'github', configuration: { clientId: 'gatehouse' } })
    return tooOften(() => owner.post(`/v1/admin/connections/${id}/refresh`))
  },
  'POST /v1/admin/connections/{id}/test 403': async (world) => {
    const { body } = await world.owner.post('/v1/admin/api-keys', { name: 'Tests', permissions: ['connections:read'] })
    const key = world.anonymous.with({ authorization: `Bearer ${body.key}` })
    return key.post(`/v1/admin/connections/${await connection(world)}/test`)
  },
  'POST /v1/admin/connections/{id}/test 429': async (world) => {
    const id = await connection(world)
    return tooOften(() => world.owner.post(`/v1/admin/connections/${id}/test`))
  },
  'POST /v1/admin/resource-servers 409': async ({ owner }) => {
    const body = newResourceServer()
    await owner.post('/v1/admin/resource-servers', body)
    return owner.post('/v1/admin/resource-servers', body)
  },
  'POST /v1/admin/resource-servers/check-mcp-server 429': async ({ owner }) =>
    tooOften(() => owner.post('/v1/admin/resource-servers/check-mcp-server', { identifier: 'https://127.0.0.1:9/mcp' })),
  'DELETE /v1/admin/resource-servers/{id} 409': async (world) => {
    const id = await resourceServer(world)
    const { identifier } = (await world.owner.get(`/v1/admin/resource-servers/${id}`)).body
    // Without the extension no client can be given one.
    await world.service.services.database
      .tenant(world.organisation.id)
      .updateTable('clients')
      .set({ resourceServerIds: [id], defaultResource: identifier })
      .where('id', '=', await client(world))
      .execute()
    return world.owner.delete(`/v1/admin/resource-servers/${id}`)
  },
  'POST /v1/admin/blocked-client-hosts 409': async (world) => {
    await blockedHost(world, 'agent.example')
    return world.owner.post('/v1/admin/blocked-client-hosts', { host: 'agent.example' })
  },
  'POST /v1/admin/setup-links/{id}/activate 409': async (world) =>
    world.owner.post(`/v1/admin/setup-links/${await setupLink(world)}/activate`),
  'POST /v1/admin/directories 409': async ({ owner }) => {
    await owner.post('/v1/admin/directories', newDirectory({ name: 'Entra ID' }))
    return owner.post('/v1/admin/directories', newDirectory({ name: 'entra id' }))
  },
  'PATCH /v1/admin/directories/{id} 409': async (world) => {
    await world.owner.post('/v1/admin/directories', newDirectory({ name: 'Entra ID' }))
    return world.owner.patch(`/v1/admin/directories/${await directory(world)}`, { name: 'Entra ID' })
  },
  'PATCH /v1/admin/connections/{id} 409': async ({ owner }) => {
    const { id } = await createConnection(owner)
    await owner.patch('/v1/admin/organisation', { signInPolicy: { password: 'disabled', passkeys: 'off' } })
    return owner.patch(`/v1/admin/connections/${id}`, { isActive: false })
  },
  'DELETE /v1/admin/connections/{id} 409': async (world) => {
    const connectionId = await connection(world)
    await verifiedDomain(world.service, world.owner, { connectionId, sso: 'required' })
    return world.owner.delete(`/v1/admin/connections/${connectionId}`)
  },
  'DELETE /v1/me/identities/{id} 404': async (world) => (await person(world)).delete('/v1/me/identities/idn_unknown'),
  'PATCH /v1/me/passkeys/{id} 404': async (world) => (await person(world)).patch('/v1/me/passkeys/pk_unknown', { name: 'New' }),
  'DELETE /v1/me/passkeys/{id} 404': async (world) => (await person(world)).delete('/v1/me/passkeys/pk_unknown'),
  'POST /v1/me/password 429': async (world) => {
    const user = await person(world)
    return tooOften(() => user.post('/v1/me/password', { currentPassword: 'wrong', newPassword: password }))
  },
  'POST /v1/me/email/verification 429': async (world) => {
    const user = await person(world)
    return tooOften(() => user.post('/v1/me/email/verification'))
  },
  'POST /v1/me/reauthenticate 429': async (world) => {
    const user = await person(world)
    return tooOften(() => user.post('/v1/me/reauthenticate', { password: 'wrong' }))
  },
  'POST /v1/me/mfa/enable 429': wrongCodes('/v1/me/mfa/enable', { method: 'totp', token: '000000' }),
  'POST /v1/me/mfa/verify 429': wrongCodes('/v1/me/mfa/verify', { token: '000000' }),
  'POST /v1/me/mfa/check 429': wrongCodes('/v1/me/mfa/check', { token: '000000' }),
  'POST /v1/me/mfa/disable 429': wrongCodes('/v1/me/mfa/disable', { token: '000000' }),
  'POST /v1/me/mfa/backup-codes 429': wrongCodes('/v1/me/mfa/backup-codes', { token: '000000' }),
  'POST /v1/me/mfa/code 429': async (world) => {
    const user = await withPhone(world)
    return tooOften(() => user.post('/v1/me/mfa/code'))
  },
}
