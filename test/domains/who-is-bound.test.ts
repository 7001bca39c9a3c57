import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { linkedIdentity } from '../support/connections.ts'
import { uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { askForCode } from '../support/email-codes.ts'
import { clientOf, connect, meOf, signInBy } from '../support/federation.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { acceptance, invite } from '../support/invite.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, passkeyProof, registerPasskey } from '../support/passkeys.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

const people = ['the owner', 'an exception with a second factor', 'an exception without one any more', 'an ordinary user'] as const
type Person = (typeof people)[number]
const mayPass = (person: Person) => person === 'the owner' || person === 'an exception with a second factor'

/** An organisation whose domain is going to require its first connection, and a user of the domain. */
async function organisationFor(person: Person) {
  const organisation = await service().given.organisation()
  const { owner, id } = organisation
  await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
  const domain = uniqueDomain()
  const configuration = JSON.stringify({
    ...{ issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['*'] },
  })
  const [assigned, other] = [
    await connect(service(), organisation, provider, { provisioning: 'jit', configuration }),
    await connect(service(), organisation, provider, { provisioning: 'jit', configuration, linking: 'automatic' }),
  ]
  const { id: domainId } = await verifiedDomain(service(), owner, { domain, connectionId: assigned, sso: 'offered' })
  const email = `somebody-${unique()}@${domain}`
  let user = person === 'the owner' ? owner : await userWith(owner, email)
  if (user === owner) {
    await service().database.tenant(id).updateTable('users').set({ email }).where('id', '=', owner.id).execute()
  }
  const path = `/v1/admin/domains/${domainId}`
  if (person.startsWith('an exception')) {
    await enrolAuthenticator(user, service().clock)
    expect(await owner.patch(path, { bypassUserIds: [user.id] })).toMatchObject({ status: 200 })
  }
  if (person === 'an exception without one any more') {
    expect(await owner.patch(`/v1/admin/users/${user.id}`, { mfaEnabled: false })).toMatchObject({ status: 200 })
    user = await service().given.signIn(email)
  }
  const requires = async () => expect(await owner.patch(path, { sso: 'required' })).toMatchObject({ status: 200 })
  return { organisation, owner, domain, assigned, other, email, user, password: user.password, requires }
}

async function userWith(owner: SignedInUser, email: string) {
  await service().given.user(owner, { email })
  return service().given.signIn(email)
}

type Own = Awaited<ReturnType<typeof organisationFor>>

const begins = ({ status, body }: { status: number; body: { status?: string } }) =>
  status === 200 && ['authenticated', 'mfa_required'].includes(body.status ?? '')

const arrivesAs = (claims: object) => {
  provider.behaviour.user = { sub: `sub-${unique()}`, email_verified: true, ...claims }
}

/** Whether a sign-in at this connection leads on: to the account, or to a second factor. */
async function isSignedInBy(connectionId: string): Promise<boolean> {
  const { status, headers, body } = await signInBy(service(), provider, connectionId)
  const location = headers.get('location') ?? ''
  if (status !== 303) expect([status, body]).toEqual([403, expect.stringContaining('single sign-on')])
  return status === 303 && /^\/(account|login\/mfa)\b/.test(location)
}

/** Every way to sign in, as far as it goes before the domain requires anything; the rest is done afterwards. */
const ways: Record<string, (own: Own) => Promise<() => Promise<boolean>>> = {
  'a password':
    async ({ email, password }) =>
    async () =>
      begins(await service().anonymous.post('/v1/auth/login', { email, password })),
  'a password that was reset by a link': async ({ email, user, owner }) => {
    expect(await owner.post(`/v1/admin/users/${user.id}/password-reset`)).toMatchObject({ status: 202 })
    const token = await service().mailbox.tokenTo(email, 'Choose a new password')
    const password = 'quite another long secret'
    return async () => {
      await service().anonymous.post('/v1/auth/password/reset', { token, password })
      return begins(await service().anonymous.post('/v1/auth/login', { email, password }))
    }
  },
  'a passkey': async ({ user }) => {
    const device = new PasskeyDevice()
    await registerPasskey(user, device)
    return async () => begins(await service().anonymous.post('/v1/auth/passkey', await passkeyProof(service().anonymous, device)))
  },
  'another connection, where an account is linked': async ({ organisation, user, other }) => {
    const { subject } = await linkedIdentity(service(), { organisationId: organisation.id, userId: user.id, connectionId: other })
    return () => {
      arrivesAs({ sub: subject })
      return isSignedInBy(other)
    }
  },
  'the connection of the domain': async ({ organisation, user, assigned }) => {
    const { subject } = await linkedIdentity(service(), { organisationId: organisation.id, userId: user.id, connectionId: assigned })
    return () => {
      arrivesAs({ sub: subject })
      return isSignedInBy(assigned)
    }
  },
}

describe('a domain that requires its connection', () => {
  const cases = Object.keys(ways).flatMap((way) => people.map((person) => [way, person] as const))
  it.each(cases)('lets begin a session by %s who may: %s', async (way, person) => {
    const own = await organisationFor(person)
    const attempt = await ways[way]?.(own)
    await own.requires()
    expect(await attempt?.()).toBe(mayPass(person) || way === 'the connection of the domain')
  })

  it('asks again when a second factor completes what began before, and what a code was mailed for', async () => {
    const own = await organisationFor('an ordinary user')
    const { authenticator } = await enrolAuthenticator(own.user, service().clock)
    const pending = await service().anonymous.post('/v1/auth/login', { email: own.email, password: own.password })
    const { flowToken, code } = await askForCode(service(), own.email)
    await own.requires()

    const refused = { status: 403, body: { code: 'sso-required', connection: { id: own.assigned } } }
    const { mfaToken } = pending.body
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })).toMatchObject(refused)
    expect(await service().anonymous.post('/v1/auth/email-code/verify', { flowToken, code })).toMatchObject(refused)
  })

  it('keeps a proven address at another connection from an account, an invitation and a new user', async () => {
    const { owner, domain, email, other, assigned, organisation, requires } = await organisationFor('an ordinary user')
    await service()
      .database.tenant(organisation.id)
      .updateTable('users')
      .set({ emailVerifiedAt: new Date() })
      .where('email', '=', email)
      .execute()
    const invited = await invite(service(), owner, { email: `invited-${unique()}@${domain}` })
    await requires()
    const users = async () => (await owner.get('/v1/admin/users')).body.total
    const before = await users()

    for (const address of [email, invited.email, `new-${unique()}@${domain}`]) {
      arrivesAs({ email: address })
      const { status, body, visitor } = await signInBy(service(), provider, other)
      expect(status).toBe(403)
      expect(body).toContain(`/federation/${assigned}/start`)
      expect((await meOf(service(), visitor)).status).toBe(401)
    }
    expect(await users()).toBe(before)
    expect(await owner.audit({ action: 'identity.linked' })).toEqual([])
    expect((await owner.get('/v1/admin/invitations?status=pending')).body.total).toBe(1)
    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(invited.token))).toMatchObject({
      status: 403,
      body: { code: 'sso-required' },
    })
    arrivesAs({ email: invited.email })
    expect(await isSignedInBy(assigned)).toBe(true)
  })

  it('lets no user who is bound link an account elsewhere, also where that was begun before', async () => {
    const { user, email, other, assigned, requires } = await organisationFor('an ordinary user')
    const begun = await user.post('/v1/me/identities', { connectionId: other })
    expect(begun).toMatchObject({ status: 200 })
    const visitor = new PageVisitor(service().origin)
    await visitor.submit('/login', { email, password: user.password })
    const link = (await (await clientOf(service(), visitor)).post('/v1/me/identities', { connectionId: other })).body.url
    await requires()

    const refused = { status: 403, body: { code: 'sso-required', connection: { id: assigned } } }
    expect(await user.post('/v1/me/identities', { connectionId: other })).toMatchObject(refused)
    expect(await user.post('/v1/me/identities', { connectionId: assigned })).toMatchObject({ status: 200 })
    arrivesAs({})
    const started = await visitor.open(new URL(link).pathname + new URL(link).search)
    const { pathname, search } = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
    expect((await visitor.open(pathname + search)).status).toBe(403)
    expect((await (await clientOf(service(), visitor)).get('/v1/me/identities')).body.data).toEqual([])
  })

  it('ends the sessions of an exception without a second factor, too, when it is told to', async () => {
    const { owner, user, domain } = await organisationFor('an exception without one any more')
    const again = await service().given.signIn(user.email, user.password)
    const { data } = (await owner.get('/v1/admin/domains')).body
    const { id } = data.find((one: { domain: string }) => one.domain === domain)
    expect(await owner.patch(`/v1/admin/domains/${id}`, { sso: 'required', endSessions: true })).toMatchObject({ status: 200 })
    expect((await again.get('/v1/me/profile')).status).toBe(401)
  })
})
