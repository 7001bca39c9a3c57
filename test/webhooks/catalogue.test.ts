import { isDeepStrictEqual as isEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type EventDescription, type EventName, events } from '../../src/activity/events.ts'
import { warnOfCertificates } from '../../src/connections/federation/warn-of-certificates.ts'
import { checkDomains } from '../../src/domains/check-domains.ts'
import { secondsAfter, secondsBefore } from '../../src/platform/clock.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { createConnection, linkedIdentity } from '../support/connections.ts'
import { givenDirectory } from '../support/directories.ts'
import { verifiedDomain } from '../support/domains.ts'
import { connect, signInBy } from '../support/federation.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { listeningProvider } from '../support/identity-provider.ts'
import { decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { useReceiver } from '../support/receiver.ts'
import { samlProvider } from '../support/saml-provider.ts'
import { useService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const service = useService({ environment: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }, webhooks: receiver.reachable })

type Cause = (organisation: TestOrganisation) => Promise<unknown>

const slug = () => `s-${unique()}`
const createRole = async ({ owner }: TestOrganisation) => (await owner.post('/v1/admin/roles', { name: 'Role', slug: slug() })).body.id
const createTeam = async ({ owner }: TestOrganisation) => (await owner.post('/v1/admin/teams', { name: 'Team', slug: slug() })).body.id
const createUser = async ({ owner }: TestOrganisation) => (await service().given.user(owner)).id
const application = (organisation: TestOrganisation, registration = {}) => givenApplication(service(), { organisation, ...registration })
const connectedPath = async ({ owner }: TestOrganisation) => `/v1/admin/connections/${(await createConnection(owner)).id}`
const signIn: Cause = ({ owner }) => service().given.signIn(owner.email)
const signOut: Cause = async ({ owner }) => (await service().given.signIn(owner.email)).post('/v1/auth/logout')
const failToSignIn: Cause = ({ owner }) => service().anonymous.post('/v1/auth/login', { email: owner.email, password: 'not the password' })
const reachMfa = async ({ owner }: TestOrganisation) => ({ owner, ...(await enrolAuthenticator(owner, service().clock)) })

async function consent(organisation: TestOrganisation) {
  const app = await application(organisation, { requireConsent: true })
  const { owner } = organisation
  const asked = await app.authorize({ code_challenge: pkce().challenge, code_challenge_method: 'S256', scope: 'openid' }, owner)
  const request = new URL(asked.headers.get('location') ?? '', 'http://x').searchParams.get('request') ?? ''
  await decideConsent(owner, request, 'allow')
  return app
}

async function signInByConnection(organisation: TestOrganisation) {
  const provider = await listeningProvider({ now: () => service().clock.now() })
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['*'] }
  const connectionId = await connect(service(), organisation, provider, {
    provisioning: 'jit',
    configuration: JSON.stringify(configuration),
  })
  provider.behaviour.user = { sub: 'user-1', email: `ada@${organisation.slug}.test`, email_verified: true }
  await signInBy(service(), provider, connectionId)
  await provider.close()
}

/** The request that causes each event. A name without a row does not compile. */
const causes: Record<EventName, Cause> = {
  'user.created': createUser,
  'user.updated': async (organisation) =>
    organisation.owner.patch(`/v1/admin/users/${await createUser(organisation)}`, { firstName: 'New' }),
  'user.deleted': async (organisation) => organisation.owner.delete(`/v1/admin/users/${await createUser(organisation)}`),
  'user.blocked': async (organisation) =>
    organisation.owner.patch(`/v1/admin/users/${await createUser(organisation)}`, { blockedAt: '2026-01-31T09:30:00Z' }),
  'user.login': signIn,
  'auth.login': signIn,
  'login.success': signIn,
  'session.created': signIn,
  'user.logout': signOut,
  'auth.logout': signOut,
  'session.revoked': signOut,
  'auth.login.failed': failToSignIn,
  'login.failed': failToSignIn,
  'auth.password_reset': async ({ owner }) => {
    await owner.post('/v1/auth/password/forgot', { email: owner.email })
    await service().mailbox.mailTo(owner.email, 'Choose a new password')
    const token = await service().mailbox.tokenTo(owner.email, 'Choose a new password')
    await service().anonymous.post('/v1/auth/password/reset', { token, password: owner.password.toUpperCase() })
    // The session of the owner has ended with it.
    return service().given.signIn(owner.email, owner.password.toUpperCase())
  },
  'domain.verified': ({ owner }) => verifiedDomain(service(), owner),
  'domain.lapsed': async ({ owner, id }) => {
    const { id: domainId, challenge } = await verifiedDomain(service(), owner)
    service().dns.remove(challenge.name)
    const { clock, database, services } = service()
    await database
      .tenant(id)
      .updateTable('organisationDomains')
      .set({ checkedAt: secondsBefore(clock.now(), 86_400), failingSince: secondsBefore(clock.now(), 7 * 86_400) })
      .where('id', '=', domainId)
      .execute()
    await checkDomains(services.findChallenge).run(database)
  },
  'auth.email_verified': async ({ owner }) => {
    const { email } = await service().given.user(owner)
    const token = await service().mailbox.tokenTo(email, 'Confirm your e-mail address')
    return service().anonymous.post('/v1/auth/email/verify', { token })
  },
  'mfa.enabled': reachMfa,
  'mfa.disabled': async (organisation) => {
    const { owner, authenticator } = await reachMfa(organisation)
    return owner.post('/v1/me/mfa/disable', { token: authenticator.nextCode() })
  },
  'identity.linked': signInByConnection,
  'passkey.registered': async ({ owner }) => registerPasskey(owner, new PasskeyDevice()),
  'passkey.deleted': async ({ owner }) => owner.delete(`/v1/me/passkeys/${(await registerPasskey(owner, new PasskeyDevice())).id}`),
  'connection.created': connectedPath,
  'connection.updated': async (organisation) => organisation.owner.patch(await connectedPath(organisation), { name: 'New' }),
  'connection.failing': async (organisation) => {
    const connectionId = await connect(service(), organisation, { issuer: 'http://127.0.0.1:9' })
    for (let attempt = 0; attempt < 3; attempt++) await new PageVisitor(service().origin).open(`/federation/${connectionId}/start`)
  },
  'connection.certificate_expiring': async (organisation) => {
    const { owner } = organisation
    const { certificate } = await samlProvider({ notAfterDate: secondsAfter(service().clock.now(), 29 * 86_400) })
    const configuration = { entityId: 'https://idp.test', ssoUrl: 'https://idp.test/sso', certificates: [certificate] }
    await createConnection(owner, { provider: 'saml', secret: undefined, configuration })
    await warnOfCertificates(service().services).run(service().database)
  },
  'directory.failing': async (organisation) => {
    const { scim } = await givenDirectory(service(), { organisation })
    for (let refused = 0; refused < 20; refused++) {
      await scim.post('/Users', {})
      await service().settled()
    }
  },
  'connection.deleted': async (organisation) => organisation.owner.delete(await connectedPath(organisation)),
  'identity.unlinked': async ({ id, owner }) => {
    const identity = await linkedIdentity(service(), { organisationId: id, userId: owner.id })
    return owner.delete(`/v1/me/identities/${identity.id}`)
  },
  'role.created': createRole,
  'role.updated': async (organisation) => organisation.owner.patch(`/v1/admin/roles/${await createRole(organisation)}`, { name: 'New' }),
  'role.deleted': async (organisation) => organisation.owner.delete(`/v1/admin/roles/${await createRole(organisation)}`),
  'role.assigned': async (organisation) =>
    organisation.owner.post(`/v1/admin/users/${await createUser(organisation)}/roles`, { roleId: await createRole(organisation) }),
  'role.unassigned': async (organisation) => {
    const [userId, roleId] = [await createUser(organisation), await createRole(organisation)]
    await organisation.owner.post(`/v1/admin/users/${userId}/roles`, { roleId })
    return organisation.owner.delete(`/v1/admin/users/${userId}/roles`, { roleId })
  },
  'permission.granted': async (organisation) => {
    const { body } = await organisation.owner.get('/v1/admin/permissions')
    return organisation.owner.patch(`/v1/admin/roles/${await createRole(organisation)}`, { permissionIds: [body.data[0].id] })
  },
  'team.created': createTeam,
  'team.updated': async (organisation) => organisation.owner.patch(`/v1/admin/teams/${await createTeam(organisation)}`, { name: 'New' }),
  'team.deleted': async (organisation) => organisation.owner.delete(`/v1/admin/teams/${await createTeam(organisation)}`),
  'client.created': application,
  'client.updated': async (organisation) =>
    organisation.owner.patch(`/v1/admin/clients/${(await application(organisation)).id}`, { name: 'New' }),
  'client.deleted': async (organisation) => organisation.owner.delete(`/v1/admin/clients/${(await application(organisation)).id}`),
  'client.revoked': async (organisation) => organisation.owner.post(`/v1/admin/clients/${(await application(organisation)).id}/revoke`),
  'oauth2.token.issued': async (organisation) => (await application(organisation)).signIn({ scope: 'openid' }),
  'oauth2.token.revoked': async (organisation) => {
    const app = await application(organisation)
    const { refresh_token: refreshToken } = await app.signIn({ scope: 'openid offline_access' })
    return app.revoke(refreshToken)
  },
  'oauth2.consent.granted': consent,
  'oauth2.consent.revoked': async (organisation) => organisation.owner.delete(`/v1/me/consents/${(await consent(organisation)).id}`),
}

/** What causes an event in another form than {@link causes} do. */
const otherCauses: [EventName, string, Cause][] = [
  [
    'oauth2.token.issued',
    'a client for itself',
    async (organisation) => {
      const app = await application(organisation, { grantTypes: ['client_credentials'], scopes: ['orders:read'] })
      return app.token({ grant_type: 'client_credentials' })
    },
  ],
  [
    'oauth2.token.revoked',
    'an access token',
    async (organisation) => {
      const app = await application(organisation)
      return app.revoke((await app.signIn({ scope: 'openid' })).access_token)
    },
  ],
  [
    'oauth2.token.revoked',
    'a refresh token that is used twice',
    async (organisation) => {
      const app = await application(organisation)
      const { refresh_token: refreshToken } = await app.signIn({ scope: 'openid offline_access' })
      await app.refresh(refreshToken)
      return app.refresh(refreshToken)
    },
  ],
  [
    'oauth2.token.revoked',
    'a code that is used twice',
    async (organisation) => {
      const app = await application(organisation)
      const { code, verifier } = await app.code({ scope: 'openid' })
      await app.redeem(code, verifier)
      return app.redeem(code, verifier)
    },
  ],
  [
    'team.updated',
    'a new member',
    async (organisation) => {
      const userId = await createUser(organisation)
      return organisation.owner.post(`/v1/admin/teams/${await createTeam(organisation)}/members`, { userId })
    },
  ],
  ['user.created', 'a restored user', async (organisation) => restore(organisation, await createUser(organisation))],
]

async function restore({ owner }: TestOrganisation, userId: string) {
  await owner.delete(`/v1/admin/users/${userId}`)
  return owner.post(`/v1/admin/users/${userId}/restore`)
}

/** The objects of an event but for the actor, without whom any may come, and the fields of each that is a record. */
const shapeOf = (data: object) =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([object]) => object !== 'actor')
      .map(([object, fields]) => [object, Object.keys(fields).sort()]),
  )

/** The last event that a cause brings to an endpoint, which is of a form that the catalogue shows. */
async function expectForm(name: EventName, cause: Cause) {
  const organisation = await service().given.organisation()
  const hook = receiver.hook()
  await createEndpoint(organisation.owner, { url: hook.url, events: [name] })

  await cause(organisation)
  await service().deliverDueWebhooks()

  const last = hook.requests.map(({ body }) => JSON.parse(body)).at(-1)
  expect(last).toMatchObject({ type: name, organisationId: organisation.id })
  const { data, otherForms = [] }: EventDescription = events[name]
  const sent = shapeOf(last.data)
  // A record may have more fields than its example; a token is none, so the example is the only description of it.
  const form = [data, ...otherForms]
    .map(shapeOf)
    .find(
      (shown) =>
        isEqual(Object.keys(shown).sort(), Object.keys(sent).sort()) &&
        Object.entries(shown).every(([object, fields]) =>
          object === 'token' ? isEqual(fields, sent[object]) : new Set(fields).isSubsetOf(new Set(sent[object])),
        ),
    )
  expect(form, `a form of ${JSON.stringify(last.data)}`).toBeDefined()
  expect([undefined, ...Object.keys(data)]).toContain('actor' in last.data ? 'actor' : undefined)
  expect(JSON.stringify(last)).not.toMatch(/"\w*(?:secret|password|hash)":|"rt_|whsec_/i)
}

describe('every event of the catalogue', () => {
  it.each(Object.keys(causes) as EventName[])('%s is emitted by the change that it names', (name) => expectForm(name, causes[name]))

  it.each(otherCauses)('%s has a form of the catalogue when it is caused by %s', (name, _, cause) => expectForm(name, cause))

  it('is listed, also page by page', async () => {
    const { owner } = await service().given.organisation()
    const { body } = await owner.get('/v1/admin/events')

    expect(body.total).toBe(Object.keys(events).length)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(Object.keys(events).sort())
    expect(body.data.find(({ name }: { name: string }) => name === 'user.blocked')).toEqual({
      name: 'user.blocked',
      ...events['user.blocked'],
    })
    const first = await owner.get('/v1/admin/events?limit=1')
    expect((await owner.get(`/v1/admin/events?limit=1&cursor=${first.body.nextCursor}`)).body.data).toEqual([body.data[1]])
  })
})
