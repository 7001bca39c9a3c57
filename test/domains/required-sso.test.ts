import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { insertConnection, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import { askForCode, codeIn, otherThan } from '../support/email-codes.ts'
import type { TestOrganisation } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { acceptance, invite } from '../support/invite.ts'
import { givenApplication } from '../support/oauth.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { PasskeyDevice, passkeyProof, registerPasskey } from '../support/passkeys.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

/**
 * An organisation with a proven domain, whose owner and two users have addresses there, and which requires single sign-on.
 *
 * @param before what happens before the domain is proven
 */
async function requiring(sso: 'offered' | 'required' = 'required', before: (name: string) => Promise<unknown> = async () => {}) {
  const organisation = await service().given.organisation()
  const { owner, id } = organisation
  await owner.patch('/v1/admin/organisation', { signInPolicy: { emailCode: 'allowed' } })
  const name = uniqueDomain()
  const bound = await signedInAt(organisation, `bound@${name}`)
  const passing = await signedInAt(organisation, `passing@${name}`)
  const { authenticator } = await enrolAuthenticator(passing, service().clock)
  const connectionId = await insertConnection(service(), id)
  await before(name)
  const domain = await verifiedDomain(service(), owner, { domain: name, connectionId, sso })
  const path = `/v1/admin/domains/${domain.id}`
  expect(await owner.patch(path, { bypassUserIds: [passing.id] })).toMatchObject({ status: 200 })
  return { organisation, owner, domain, path, bound, passing, authenticator, connectionId }
}

/** A user with this address, signed in. */
async function signedInAt({ owner }: Pick<TestOrganisation, 'owner'>, email: string) {
  await service().given.user(owner, { email })
  return service().given.signIn(email)
}

const refusedFor = (connectionId: string) => ({
  status: 403,
  body: {
    detail: 'Single sign-on is required',
    code: 'sso-required',
    connection: { id: connectionId, startUrl: `http://gatehouse.test/federation/${connectionId}/start` },
  },
})
const withoutInstance = ({ status, body: { instance: _, ...body } }: Answer) => ({ status, body })
const login = (email: string, password: string) => service().anonymous.post('/v1/auth/login', { email, password })

describe('a domain that requires single sign-on', () => {
  it('refuses the right password, a wrong one and an address without an account alike', async () => {
    const { bound, domain, connectionId, owner } = await requiring()

    const answers = [
      await login(bound.email, bound.password),
      await login(bound.email, 'not the password'),
      await login(`nobody@${domain.domain}`, bound.password),
    ]

    expect(answers[0]).toMatchObject(refusedFor(connectionId))
    expect(answers.map(withoutInstance)).toEqual(Array(3).fill(withoutInstance(answers[0] as Answer)))
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([])
    await service().settled()
    const { body } = await owner.get('/v1/admin/audit-logs?action=login.failed')
    expect(body.data).toEqual([])
  })

  it('lets those pass who may, by the right password alone', async () => {
    const elsewhere = await service().given.organisation()
    let guest = { email: '', password: '' }
    const { organisation, owner, domain, passing, authenticator, connectionId, bound } = await requiring('required', async (name) => {
      guest = await signedInAt(elsewhere, `guest@${name}`)
    })
    const pending = await login(passing.email, passing.password)
    expect(pending).toMatchObject({ status: 200, body: { status: 'mfa_required' } })
    const { mfaToken } = pending.body
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code: authenticator.nextCode() })).toMatchObject({
      status: 200,
    })
    expect(await login(passing.email, 'not the password')).toMatchObject(refusedFor(connectionId))

    const ownAddress = `owner@${domain.domain}`
    await service().database.tenant(organisation.id).updateTable('users').set({ email: ownAddress }).where('id', '=', owner.id).execute()
    expect(await login(ownAddress, owner.password)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    expect(await login(ownAddress, 'not the password')).toMatchObject(refusedFor(connectionId))

    expect(await login(guest.email, guest.password)).toMatchObject({ status: 200 })
    const other = await service().given.userWith(owner, [])
    expect(await login(other.email, other.password)).toMatchObject({ status: 200 })
    expect(await login(bound.email, bound.password)).toMatchObject(refusedFor(connectionId))
  })

  it('refuses passkeys of its users', async () => {
    const { bound, connectionId, owner } = await requiring()
    const device = new PasskeyDevice()
    await registerPasskey(bound, device)

    const answer = await service().anonymous.post('/v1/auth/passkey', await passkeyProof(service().anonymous, device))

    expect(answer).toMatchObject(refusedFor(connectionId))
    expect(answer.headers.getSetCookie()).toEqual([])
    const { body } = await owner.get('/v1/admin/audit-logs?action=login.failed')
    expect(body.data).toMatchObject([{ metadata: { reason: 'Single sign-on is required' } }])
  })

  it('mails its users no code, and takes none that was mailed before', async () => {
    const { bound, passing, domain, connectionId, owner, path } = await requiring('offered')
    const proof = await askForCode(service(), bound.email)
    await owner.patch(path, { sso: 'required' })
    const mails = service().mailbox.mails.length
    const ask = (email: string) => service().anonymous.post('/v1/auth/email-code', { email })

    expect(await service().anonymous.post('/v1/auth/email-code/verify', { flowToken: proof.flowToken, code: proof.code })).toMatchObject(
      refusedFor(connectionId),
    )
    const refused = [await ask(bound.email), await ask(`nobody@${domain.domain}`), await ask(passing.email)]
    for (const answer of refused) expect(withoutInstance(answer)).toMatchObject(refusedFor(connectionId))
    const shapes = refused.map(({ status, body }) => ({ status, body: { ...body, flowToken: typeof body.flowToken } }))
    expect(shapes).toEqual(Array(3).fill(shapes[0]))
    await service().mailbox.tokenTo(passing.email, 'Sign in to')
    await service().settled()
    expect(
      service()
        .mailbox.mails.slice(mails)
        .filter(({ to }) => to === bound.email),
    ).toEqual([])
  })

  it('mails a code to the owner and to those who may sign in otherwise, and takes it', async () => {
    const { organisation, owner, passing, connectionId, domain } = await requiring()
    const ownAddress = `owner@${domain.domain}`
    await service().database.tenant(organisation.id).updateTable('users').set({ email: ownAddress }).where('id', '=', owner.id).execute()
    for (const [email, status] of [
      [ownAddress, 'authenticated'],
      [passing.email, 'mfa_required'],
    ] as const) {
      const { flowToken } = (await service().anonymous.post('/v1/auth/email-code', { email })).body
      const linkToken = await service().mailbox.tokenTo(email, 'Sign in to')
      const code = codeIn(service().mailbox.mails.find(({ text }) => text.includes(linkToken))?.text)
      const verify = (code: string) => service().anonymous.post('/v1/auth/email-code/verify', { flowToken, code })
      expect(await verify(otherThan(code))).toMatchObject(refusedFor(connectionId))
      expect(await verify(code)).toMatchObject({ status: 200, body: { status } })
    }
  })

  it('lets them sign in by the link of that mail in the browser that was sent to the connection', async () => {
    const { passing, connectionId } = await requiring()
    const visitor = new PageVisitor(service().origin)
    const asked = await visitor.submit('/login/email?returnTo=/account/profile', { email: passing.email })
    expect(asked.body).toContain(`/federation/${connectionId}/start`)
    const token = await service().mailbox.tokenTo(passing.email, 'Sign in to')
    const signedIn = await visitor.submit('/login/email', { token }, {}, `/login/email?token=${token}`)
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/login/mfa?returnTo=%2Faccount%2Fprofile'])
  })

  it('has its invitations accepted by the connection alone', async () => {
    const { owner, domain, connectionId } = await requiring()
    const { email, token } = await invite(service(), owner, { email: `invited@${domain.domain}` })
    const visitor = new PageVisitor(service().origin)

    const page = await visitor.open(`/invitations/accept?token=${token}`)
    expect(page.body).toContain(
      `http-equiv="refresh" content="0;url=http://gatehouse.test/federation/${connectionId}/start?login_hint=${encodeURIComponent(email)}"`,
    )
    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))).toMatchObject(refusedFor(connectionId))
    const { body: invitations } = await owner.get('/v1/admin/invitations?status=pending')
    expect(invitations.data).toMatchObject([{ email }])
    expect(await login(email, acceptance(token).password)).toMatchObject({ status: 403 })
  })

  it('gives no account to whom another organisation had invited before', async () => {
    const elsewhere = await service().given.organisation()
    let token = ''
    await requiring('required', async (name) => {
      token = (await invite(service(), elsewhere.owner, { email: `guest@${name}` })).token
    })

    expect(await service().anonymous.post('/v1/auth/invitations/accept', acceptance(token))).toMatchObject({
      status: 409,
      body: { detail: 'Email already registered' },
    })
  })

  it('mails its users no link for a forgotten password', async () => {
    const { bound, passing, owner } = await requiring()
    const forgot = (email: string) => service().anonymous.post('/v1/auth/password/forgot', { email })

    const answers = [await forgot(bound.email), await forgot(passing.email)]

    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    await service().mailbox.mailTo(passing.email, 'Choose a new password')
    await service().settled()
    expect(service().mailbox.mails.filter(({ to, subject }) => to === bound.email && subject.includes('password'))).toEqual([])
    const { body } = await owner.get('/v1/admin/audit-logs?action=auth.password_reset_requested')
    expect(body.data.map((entry: { target: { id: string } }) => entry.target.id)).toEqual([passing.id])
  })

  it('sends the browser from the sign-in pages to the connection, with where it was going', async () => {
    const { bound, passing, connectionId } = await requiring()
    const start = (email: string) =>
      `http://gatehouse.test/federation/${connectionId}/start?${new URLSearchParams({ login_hint: email, returnTo: '/account/profile' })}`

    for (const [page, fields] of [
      ['/login?returnTo=%2Faccount%2Fprofile', { email: bound.email, password: bound.password }],
      ['/login/email?returnTo=%2Faccount%2Fprofile', { email: bound.email }],
    ] as [string, Record<string, string>][]) {
      const answer = await new PageVisitor(service().origin).submit(page, fields)
      expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(`url=${start(bound.email).replaceAll('&', '&amp;')}`) })
      expect(answer.body).not.toContain(bound.password)
      expect(answer.headers.getSetCookie().join()).not.toContain('svc_session=')
    }
    const passed = await new PageVisitor(service().origin).submit('/login', { email: passing.email, password: passing.password })
    expect([passed.status, passed.headers.get('location')]).toEqual([303, '/login/mfa'])
  })

  it.each([
    ['is removed', async ({ owner, path }: Awaited<ReturnType<typeof requiring>>) => owner.delete(path)],
    ['only offers it', async ({ owner, path }: Awaited<ReturnType<typeof requiring>>) => owner.patch(path, { sso: 'offered' })],
    [
      'loses its connection',
      async ({ organisation, connectionId }: Awaited<ReturnType<typeof requiring>>) =>
        service().database.tenant(organisation.id).deleteFrom('connections').where('id', '=', connectionId).execute(),
    ],
  ])('requires nothing any more once it %s', async (_, change) => {
    const required = await requiring()
    expect(await login(required.bound.email, required.bound.password)).toMatchObject({ status: 403 })
    await change(required)
    expect(await login(required.bound.email, required.bound.password)).toMatchObject({ status: 200 })
  })

  it('requires nothing before it is proven', async () => {
    const { bound, path, owner, domain } = await requiring()
    await owner.delete(path)
    const { owner: other, id } = await service().given.organisation()
    const connectionId = await insertConnection(service(), id)
    expect(await other.post('/v1/admin/domains', { domain: domain.domain, connectionId, sso: 'required' })).toMatchObject({ status: 201 })

    expect(await login(bound.email, bound.password)).toMatchObject({ status: 200 })
  })

  it('ends what did not come by the connection, when it is told to', async () => {
    const { organisation, owner, domain, path, bound, passing, connectionId } = await requiring('offered')
    const app = await givenApplication(service(), { organisation, scopes: ['openid', 'offline_access'] })
    const tokens = await app.signIn({ scope: 'openid offline_access' }, bound)
    const federated = await service().given.signIn(bound.email, bound.password)
    await service()
      .database.tenant(organisation.id)
      .updateTable('sessions')
      .set({ connectionId })
      .where('id', '=', federated.sessionId)
      .execute()
    const later = await app.signIn({ scope: 'openid offline_access' }, federated)
    const other = await service().given.userWith(owner, [])

    expect(await owner.patch(path, { sso: 'required', endSessions: true })).toMatchObject({ status: 200, body: { sso: 'required' } })

    const statuses = await Promise.all([bound, federated, passing, other, owner].map((user) => user.get('/v1/me/profile')))
    expect(statuses.map(({ status }) => status)).toEqual([401, 200, 200, 200, 200])
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400 })
    expect(await app.refresh(later.refresh_token)).toMatchObject({ status: 200 })
    const { body } = await owner.get('/v1/admin/audit-logs?action=domain.updated')
    expect(body.data[0]).toMatchObject({ target: { id: domain.id }, metadata: { endSessions: true } })
  })
})

it('costs no statement of its own where no organisation requires single sign-on, and one where any does', async () => {
  const engine = recordingEngine(await freshEngine())
  const own = await startTestService({ engine })
  const { owner, id } = await own.given.organisation()
  const user = await own.given.userWith(owner, [])
  const statements = async () => {
    engine.statements.length = 0
    await own.anonymous.post('/v1/auth/login', { email: user.email, password: user.password })
    return engine.statements.filter(
      ({ query, ofRequest }) => ofRequest && query.sql.includes('from organisation_domains d join organisations'),
    ).length
  }
  await own.services.requiredSso.refresh()
  expect(await statements()).toBe(0)

  const connectionId = await insertConnection(own, id)
  const domain = await verifiedDomain(own, owner, { connectionId, sso: 'required' })
  expect(await statements()).toBe(1)
  await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'off' })
  expect(await statements()).toBe(0)
  await own.stop()
})
