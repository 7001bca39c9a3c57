import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { namesOfChecks } from '../../shared/checks/names.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { emailCodeFor } from '../support/email-codes.ts'
import { callbackPath, connect } from '../support/federation.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, passkeyProof, registerPasskey } from '../support/passkeys.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())
// Of codes by mail and failed sign-ins, which one address may ask for and meet.
beforeEach(() => service().clock.advance({ hours: 1 }))

const path = '/v1/admin/sign-in-checks'
const check = (by: HttpClient, body: object) => by.post(path, body)
const ofOperator = (body: object) => service().operator.post('/v1/system/sign-in-checks', body)
const setPolicy = (owner: HttpClient, signInPolicy: object) => owner.patch('/v1/admin/organisation', { signInPolicy })

interface Step {
  way: string | null
  code: string
  met: boolean
  why: string
  remedy: string | null
  values: Record<string, string>
}
const unmetOf = ({ body }: Answer, way?: string) =>
  body.steps.filter((step: Step) => !step.met && (way === undefined || step.way === null || step.way === way)).map(({ code }: Step) => code)
const leadsOf = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries(body.ways.map(({ way, leadsTo }: { way: string; leadsTo: string }) => [way, leadsTo]))

interface Person {
  organisation: TestOrganisation
  owner: SignedInUser
  user: SignedInUser
  connectionId: string
  domain: string
}

/** A user of a domain of the organisation that leads to its connection, who can sign in in every way. */
async function ready(): Promise<Person & { device: PasskeyDevice }> {
  const organisation = await service().given.organisation()
  const { owner } = organisation
  await setPolicy(owner, { emailCode: 'allowed' })
  const domain = uniqueDomain()
  const connectionId = await connect(service(), organisation, provider)
  await verifiedDomain(service(), owner, { domain, connectionId, sso: 'offered' })
  const { email } = await service().given.user(owner, { email: `anna-${unique()}@${domain}` })
  const user = await service().given.signIn(email)
  const device = new PasskeyDevice()
  await registerPasskey(user, device)
  const person = { organisation, owner, user, connectionId, domain }
  // Else all by which the user can sign in would end when the account at the provider is linked.
  await change(person, { emailVerifiedAt: service().clock.now() })
  provider.behaviour.user = { sub: `sub-${email}`, email, email_verified: true }
  return { ...person, device }
}

const requireSso = async ({ owner, domain }: Person, changes: object = {}) => {
  const { body } = await owner.get('/v1/admin/domains')
  const { id } = body.data.find((one: { domain: string }) => one.domain === domain)
  expect(await owner.patch(`/v1/admin/domains/${id}`, { sso: 'required', ...changes })).toMatchObject({ status: 200 })
}
const change = ({ organisation, user }: Person, columns: object) =>
  service().database.tenant(organisation.id).updateTable('users').set(columns).where('id', '=', user.id).execute()

/** What a sign-in over HTTP has led to. */
function endOf({ status, body, headers }: Answer): string {
  if (status === 303) {
    const location = headers.get('location') ?? ''
    if (location.startsWith('/mfa/enroll')) return 'enrolment'
    if (location === '/link') return 'confirmation'
    return /^\/(account|login\/mfa)\b/.test(location) ? 'session' : location
  }
  if (status === 403 && body.code === 'password-expired') return 'new_password'
  if (status !== 200) return 'refusal'
  return { authenticated: 'session', mfa_required: 'session', mfa_enrollment_required: 'enrolment' }[body.status as string] ?? body.status
}

/** A browser that the provider sends back, as the user who is signed in there now. */
async function arrival(connectionId: string): Promise<() => Promise<Answer>> {
  await forgetStarts(service())
  const visitor = new PageVisitor(service().origin)
  const path = await callbackPath(provider, connectionId, visitor)
  return () => visitor.open(path)
}

const login = (email: string, password = 'correct horse battery') => service().anonymous.post('/v1/auth/login', { email, password })

/** Each state of a user or of what is around them, and what keeps them from a session by each way. */
const states: Record<string, { bring: (person: Person) => Promise<unknown>; unmet: Record<string, string[]> }> = {
  'nothing is in the way of': { bring: async () => {}, unmet: { password: [], passkey: [], email_code: [], connection: [] } },
  'a block ends the sign-ins of': {
    bring: ({ owner, user }) => owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: service().clock.now().toISOString() }),
    unmet: { password: ['user-blocked'], passkey: ['user-blocked'], email_code: ['user-blocked'], connection: ['user-blocked'] },
  },
  'the suspension of the organisation ends the sign-ins of': {
    bring: ({ organisation }) => service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'unpaid' }),
    unmet: {
      password: ['organisation-suspended'],
      passkey: ['organisation-suspended'],
      email_code: ['organisation-suspended'],
      connection: ['organisation-suspended'],
    },
  },
  'ten wrong passwords lock': {
    bring: async ({ user }) => {
      for (let attempt = 0; attempt < 10; attempt++) await login(user.email, 'wrong password')
      await service().settled()
    },
    unmet: { password: ['account-locked'], passkey: ['account-locked'], email_code: ['account-locked'], connection: [] },
  },
  'a policy without passwords, codes and passkeys leaves the connection to': {
    bring: ({ owner }) => setPolicy(owner, { password: 'disabled', passkeys: 'off', emailCode: 'off' }),
    unmet: { password: ['password-disabled'], passkey: ['passkeys-off'], email_code: ['email-codes-off'], connection: [] },
  },
  'without a password and a passkey the mailbox and the connection are left to': {
    bring: async (person) => {
      await change(person, { passwordHash: null })
      await service().database.tenant(person.organisation.id).deleteFrom('passkeys').execute()
    },
    unmet: { password: ['no-password-set'], passkey: ['no-passkey'], email_code: [], connection: [] },
  },
  'an old password is to be replaced by': {
    bring: async (person) => {
      await change(person, { passwordChangedAt: new Date(service().clock.now().getTime() - 91 * 86_400_000) })
      await person.owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 90 } })
    },
    unmet: { password: ['password-expired'], passkey: [], email_code: [], connection: [] },
  },
  'a second factor is asked of': {
    bring: ({ user }) => enrolAuthenticator(user, service().clock),
    unmet: { password: [], passkey: [], email_code: [], connection: [] },
  },
  'a required second factor, and no passkey, is to be set up by': {
    bring: async ({ owner, organisation }) => {
      await service().database.tenant(organisation.id).deleteFrom('passkeys').execute()
      await owner.patch('/v1/admin/organisation', { requireMfa: true })
    },
    unmet: {
      password: ['second-factor-enrolment'],
      passkey: ['no-passkey'],
      email_code: ['second-factor-enrolment'],
      connection: ['second-factor-enrolment'],
    },
  },
  'a required passkey is to be registered by': {
    bring: async ({ owner, organisation }) => {
      await service().database.tenant(organisation.id).deleteFrom('passkeys').execute()
      await setPolicy(owner, { passkeys: 'required' })
    },
    unmet: {
      password: ['passkey-enrolment'],
      passkey: ['no-passkey'],
      email_code: ['passkey-enrolment'],
      connection: ['passkey-enrolment'],
    },
  },
  'a domain that requires its connection binds': {
    bring: requireSso,
    unmet: { password: ['sso-required'], passkey: ['sso-required'], email_code: ['sso-required'], connection: [] },
  },
  'a domain that requires its connection lets pass': {
    bring: async (person) => {
      await enrolAuthenticator(person.user, service().clock)
      await requireSso(person, { bypassUserIds: [person.user.id] })
    },
    unmet: { password: [], passkey: [], email_code: [], connection: [] },
  },
  'an inactive connection is closed to': {
    bring: ({ organisation, connectionId }) =>
      service()
        .database.tenant(organisation.id)
        .updateTable('connections')
        .set({ isActive: false })
        .where('id', '=', connectionId)
        .execute(),
    unmet: { password: [], passkey: [], email_code: [], connection: ['connection-inactive'] },
  },
  'a deletion ends the sign-ins of': {
    bring: ({ owner, user }) => owner.delete(`/v1/admin/users/${user.id}`),
    unmet: { connection: ['account-deleted', 'address-unusable'] },
  },
}

describe('a check of a sign-in', () => {
  it.each(Object.entries(states))('says of every way what the sign-in then meets: %s a user', async (_, { bring, unmet }) => {
    const person = await ready()
    const { user, device, connectionId } = person
    expect(endOf(await (await arrival(connectionId))())).toBe('session')
    const code = await emailCodeFor(service(), user.email)
    const proof = await passkeyProof(service().anonymous, device)
    const back = await arrival(connectionId)
    await bring(person)

    const checked = await ofOperator({ email: user.email })
    expect(checked).toMatchObject({ status: 200, body: { userId: user.id, organisationId: person.organisation.id } })
    const leads = leadsOf(checked)
    for (const way of Object.keys(leads)) expect([way, unmetOf(checked, way)]).toEqual([way, unmet[way]])
    expect(checked.body.allowed).toBe(Object.values(leads).includes('session'))

    const { anonymous } = service()
    const ends = {
      connection: endOf(await back()),
      ...(leads.password && {
        email_code: endOf(await anonymous.post('/v1/auth/email-code/verify', code)),
        passkey: endOf(await anonymous.post('/v1/auth/passkey', proof)),
        password: endOf(await login(user.email)),
      }),
    }
    expect(leads).toEqual(ends)
  })
})

/** A connection of an organisation, and an address that may have an account in it. */
const addresses: Record<string, { bring: () => Promise<Asked>; code: string; leadsTo: string }> = {
  'creates the account of a new address': {
    bring: () => asked({ provisioning: 'jit', allowedDomains: ['*'] }),
    code: 'account-is-created',
    leadsTo: 'session',
  },
  'creates one that has to set up a second factor': {
    bring: () =>
      asked({ provisioning: 'jit', allowedDomains: ['*'] }, ({ owner }) => owner.patch('/v1/admin/organisation', { requireMfa: true })),
    code: 'second-factor-enrolment',
    leadsTo: 'enrolment',
  },
  'creates none of another domain': { bring: () => asked({ provisioning: 'jit' }), code: 'not-provisioned', leadsTo: 'refusal' },
  'creates none in a domain that another organisation has proven': {
    bring: async () => {
      const { owner } = await service().given.organisation()
      const { domain } = await verifiedDomain(service(), owner)
      return asked({ provisioning: 'jit', allowedDomains: ['*'] }, async () => {}, `anna-${unique()}@${domain}`)
    },
    code: 'address-unusable',
    leadsTo: 'refusal',
  },
  'accepts an invitation': {
    bring: () => asked({}, ({ owner, email }) => invite(service(), owner, { email })),
    code: 'invitation-is-accepted',
    leadsTo: 'session',
  },
  'links no account by its address': {
    bring: () => asked({ linking: 'none' }, withAccount),
    code: 'link-while-signed-in',
    leadsTo: 'refusal',
  },
  'asks for a confirmation': { bring: () => asked({}, withAccount), code: 'confirmation-asked', leadsTo: 'confirmation' },
  'asks for one while the address is not proven': {
    bring: () => asked({ linking: 'automatic' }, withAccount),
    code: 'address-unproven',
    leadsTo: 'confirmation',
  },
}

interface Asked {
  owner: SignedInUser
  email: string
  connectionId: string
}

const withAccount = ({ owner, email }: Pick<Asked, 'owner' | 'email'>) => service().given.user(owner, { email })

async function asked(
  { allowedDomains = [], ...changes }: { provisioning?: 'jit'; linking?: 'none' | 'automatic'; allowedDomains?: string[] },
  bring: (asked: Asked) => Promise<unknown> = async () => {},
  email = `anna-${unique()}@example.test`,
): Promise<Asked> {
  const organisation = await service().given.organisation()
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains }
  const connectionId = await connect(service(), organisation, provider, { ...changes, configuration: JSON.stringify(configuration) })
  const one = { owner: organisation.owner, email, connectionId }
  await bring(one)
  return one
}

describe('a check of a sign-in by a connection', () => {
  it.each(Object.entries(addresses))('says what the arrival then meets: it %s', async (_, { bring, code, leadsTo }) => {
    const { owner, email, connectionId } = await bring()
    provider.behaviour.user = { sub: `sub-${unique()}`, email, email_verified: true }

    const checked = await check(owner, { email, connectionId })
    expect(checked).toMatchObject({ status: 200, body: { ways: [{ way: 'connection', connectionId, leadsTo }] } })
    expect(checked.body.steps.map((step: Step) => step.code)).toContain(code)
    expect(endOf(await (await arrival(connectionId))())).toBe(leadsTo)
  })

  it('says since when it has been failing, and as what', async () => {
    const { owner, email, connectionId } = await asked({}, withAccount)
    const failingSince = service().clock.now()
    await service()
      .database.system()
      .updateTable('connections')
      .set({ failingSince, failures: 3, lastError: 'invalid_client', failedCheck: 'token_endpoint' })
      .where('id', '=', connectionId)
      .execute()
    const { body } = await check(owner, { email, connectionId })
    const step = body.steps.find(({ code }: Step) => code === 'connection-failing')
    expect(step).toMatchObject({
      met: false,
      connectionId,
      values: {
        connection: 'Workforce',
        since: failingSince.toISOString(),
        error: 'invalid_client',
        check: 'token_endpoint',
        checkName: namesOfChecks.token_endpoint,
      },
      why: `Sign-ins by the connection Workforce have failed since ${failingSince.toISOString()}: invalid_client`,
    })
  })
})

describe('a check of a sign-in to an application', () => {
  it('names each thing that the application and the role lack, and says when nothing does', async () => {
    const app = await givenApplication(service(), { redirectUris: ['https://portal.example.test/callback'] })
    const { owner } = app.organisation
    const { id, email } = await service().given.user(owner)
    const ask = (more: object) => check(owner, { email, clientId: app.id, ...more })

    const fine = await ask({ redirectUri: 'https://portal.example.test/callback' })
    expect([fine.body.allowed, fine.body.userId]).toEqual([true, id])
    expect(fine.body.steps.slice(-4).map(({ code }: Step) => code)).toEqual([
      'client-active',
      'code-grant-allowed',
      'redirect-uri-registered',
      'authorization-granted',
    ])
    const wrong = await ask({ redirectUri: 'https://portal.example.test/calback', permission: 'users:delete' })
    expect([wrong.body.allowed, ...unmetOf(wrong, 'none')]).toEqual([false, 'redirect-uri-unregistered', 'permission-missing'])
    const unregistered = wrong.body.steps.find(({ code }: Step) => code === 'redirect-uri-unregistered')
    expect(unregistered.remedy).toContain('from character 32 on')
    // Programs say it in the language of the reader.
    expect(unregistered.phrases).toEqual({
      difference: { phrase: 'nearest-uri', values: ['https://portal.example.test/callback', '32', 'lback', 'back'] },
    })
    expect(await ask({ permission: 'nothing:ever' })).toMatchObject({ status: 400, body: { errors: [{ path: ['permission'] }] } })
    // The owner has every permission.
    expect((await check(owner, { email: owner.email, permission: 'users:delete' })).body.allowed).toBe(true)

    await owner.post(`/v1/admin/clients/${app.id}/revoke`)
    const revoked = await ask({})
    expect([revoked.body.allowed, ...unmetOf(revoked, 'none')]).toEqual([false, 'client-deactivated'])
    expect((await app.authorize({})).status).toBe(400)
  })
})

it('does not call a deleted user unblocked', async () => {
  const { owner } = await service().given.organisation()
  const user = await service().given.user(owner)
  await owner.delete(`/v1/admin/users/${user.id}`)
  const { body } = await check(owner, { email: user.email })
  expect(body.steps.map(({ code }: Step) => code)).toEqual(['account-deleted', 'organisation-running'])
})

describe('an address that the organisation does not have', () => {
  it('is told from that of another organisation by nothing', async () => {
    const { owner } = await service().given.organisation()
    const { owner: elsewhere } = await service().given.organisation()
    const answers = [await check(owner, { email: `nobody-${unique()}@example.test` }), await check(owner, { email: elsewhere.email })]
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([200, { userId: null, allowed: false, ways: [], steps: expect.any(Array) }])
    }
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect(unmetOf(answers[0] as Answer)).toEqual(['no-account'])
    // Nothing is said of a user who does not exist.
    expect(answers[0]?.body.steps.map(({ code }: Step) => code)).toEqual(['no-account', 'organisation-running'])
    const { body } = await owner.get('/v1/admin/audit-logs?action=sign_in.unknown_checked')
    const [one, other] = body.data.map(({ id: _, createdAt: __, requestId: ___, ...entry }: Record<string, unknown>) => entry)
    expect(one).toEqual(other)
    expect(JSON.stringify(body)).not.toContain(elsewhere.email)
  })

  it('is looked up by the operator in every organisation', async () => {
    const { owner, id } = await service().given.organisation()
    expect(await ofOperator({ email: owner.email })).toMatchObject({
      status: 200,
      body: { organisationId: id, userId: owner.id, allowed: true },
    })
    expect(await ofOperator({ email: `nobody-${unique()}@example.test` })).toMatchObject({
      status: 200,
      body: { organisationId: null, userId: null, allowed: false, steps: [{ code: 'no-account' }] },
    })
  })
})

describe('who checks a sign-in', () => {
  it('leaves an entry at the user, and nothing else', async () => {
    const { owner, user } = await ready()
    const { body } = await check(owner, { email: user.email })
    expect(body.allowed).toBe(true)
    const { body: log } = await owner.get(`/v1/admin/audit-logs?targetId=${user.id}&limit=1`)
    expect(log.data).toMatchObject([{ action: 'sign_in.checked', actorId: owner.id, metadata: { allowed: true }, changes: null }])
    expect(log.data[0].metadata).toEqual({ allowed: true })
  })

  it('asks about clients and connections of the organisation alone', async () => {
    const { owner, user, connectionId } = await ready()
    const other = await givenApplication(service())
    expect(await check(owner, { email: user.email, clientId: other.id })).toMatchObject({
      status: 404,
      body: { detail: 'Client not found' },
    })
    expect(await check(other.organisation.owner, { email: other.organisation.owner.email, connectionId })).toMatchObject({
      status: 404,
      body: { detail: 'Connection not found' },
    })
  })

  it('may ask while the organisation is suspended, with an API key', async () => {
    const { owner, id } = await service().given.organisation()
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'Desk', permissions: ['users:read'] })
    await service().operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'unpaid' })
    const desk = service().anonymous.with({ authorization: `Bearer ${key.key}` })
    expect(unmetOf(await check(desk, { email: owner.email }), 'none')).toEqual(['organisation-suspended'])
  })

  it('has sixty checks in five minutes', async () => {
    const { owner } = await service().given.organisation()
    const { signInChecksByCaller } = service().services.limits
    for (let asked = 0; asked < 59; asked++) await signInChecksByCaller.count(owner.id)
    expect((await check(owner, { email: owner.email })).status).toBe(200)
    expect(await check(owner, { email: owner.email })).toMatchObject({ status: 429, body: { code: 'too-many-sign-in-checks' } })
  })
})
