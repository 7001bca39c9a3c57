import { describe, expect, it } from 'vitest'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { freshEngine } from '../support/database.ts'
import { insertConnection, uniqueDomain } from '../support/domains.ts'
import { type SignedInUser, unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()

describe('switching a second factor on', () => {
  it('ends what applications hold by the other sessions, and nothing that they hold by its own', async () => {
    const { given } = service()
    const application = await givenApplication(service())
    const user = await given.userWith(application.organisation.owner, [])
    const other = await given.signIn(user.email, user.password)
    const [own, others] = [
      await application.signIn({ scope: 'openid offline_access' }, user),
      await application.signIn({ scope: 'openid offline_access' }, other),
    ]
    const pending = await application.code({ scope: 'openid offline_access' }, other)

    await enrolAuthenticator(user, service().clock)

    const invalid = { status: 400, body: { error: 'invalid_grant' } }
    expect(await application.refresh(others.refresh_token)).toMatchObject(invalid)
    expect(await application.redeem(pending.code, pending.verifier)).toMatchObject(invalid)
    expect((await application.introspect(others.access_token)).body).toEqual({ active: false })
    expect(await application.refresh(own.refresh_token)).toMatchObject({ status: 200 })
  })
})

describe('a sign-in that waits for a new password', () => {
  it.each<[string, (waiting: { owner: SignedInUser; user: SignedInUser }) => Promise<unknown>]>([
    ['a second factor is switched on', ({ user }) => enrolAuthenticator(user, service().clock)],
    ['the user ends all sessions', ({ user }) => user.delete('/v1/me/sessions')],
    ['an administrator ends the sessions', ({ owner, user }) => owner.delete(`/v1/admin/users/${user.id}/sessions`)],
  ])('ends when %s', async (_what, end) => {
    const { given, anonymous, clock, database } = service()
    const { owner, id } = await given.organisation()
    const user = await given.userWith(owner, [])
    await owner.patch('/v1/admin/organisation', { passwordPolicy: { maxAge: 1 } })
    const passwordChangedAt = new Date(clock.now().getTime() - 2 * 86_400_000)
    await database.tenant(id).updateTable('users').set({ passwordChangedAt }).where('id', '=', user.id).execute()
    const refused = await anonymous.post('/v1/auth/login', { email: user.email, password: user.password })
    expect(refused).toMatchObject({ status: 403, body: { resetToken: expect.any(String) } })

    await end({ owner, user })

    const reset = await anonymous.post('/v1/auth/password/reset', { token: refused.body.resetToken, password: 'quite another secret' })
    expect(reset).toMatchObject({ status: 400, body: { detail: 'Invalid or expired token' } })
  })
})

describe('a sign-in that waits for its second factor', () => {
  async function waiting() {
    const { given, anonymous, clock } = service()
    const organisation = await given.organisation()
    const domain = uniqueDomain()
    const { email } = await given.user(organisation.owner, { email: `user@${domain}` })
    const user = await given.signIn(email)
    const { backupCodes } = await enrolAuthenticator(user, clock)
    const { mfaToken } = (await anonymous.post('/v1/auth/login', { email, password: user.password })).body
    return { organisation, domain, user, complete: () => anonymous.post('/v1/auth/login/mfa', { mfaToken, code: backupCodes[0] }) }
  }

  it('goes no further when the organisation has disabled passwords since', async () => {
    const { organisation, complete } = await waiting()
    await organisation.owner.patch('/v1/admin/organisation', { signInPolicy: { password: 'disabled' } })
    expect(await complete()).toMatchObject({ status: 401, body: { code: 'invalid-mfa-token' } })
    await organisation.owner.patch('/v1/admin/organisation', { signInPolicy: { password: 'allowed' } })
  })

  it('is sent to the connection when the domain has come to require it since', async () => {
    const { organisation, domain, complete } = await waiting()
    const connectionId = await insertConnection(service(), organisation.id)
    const tenant = service().database.tenant(organisation.id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now, verifiedAt: tenant.now, checkedAt: tenant.now }
    const required = { connectionId, status: 'verified' as const, sso: 'required' as const }
    await tenant
      .insertInto('organisationDomains')
      .values({ id: `dom_${unique()}`, domain, challenge: unique(), ...required, ...times })
      .execute()
    expect(await complete()).toMatchObject({ status: 403, body: { code: 'sso-required' } })
  })

  it('that nothing has changed for is completed', async () => {
    expect(await (await waiting()).complete()).toMatchObject({ status: 200, body: { status: 'authenticated' } })
  })
})

describe('a request whose body takes its time', () => {
  it('does nothing for a session, a key or a right that has ended meanwhile', async () => {
    const engine = recordingEngine(await freshEngine())
    const own = await startTestService({ engine })
    const { owner } = await own.given.organisation()
    const slug = () => `team-${unique()}`
    const createSlowly = async (headers: Readonly<Record<string, string>>, end: () => Promise<unknown>) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const body = new TextEncoder().encode(JSON.stringify({ name: slug(), slug: slug() }))
      engine.statements.length = 0
      const answer = fetch(`${own.origin}/v1/admin/teams`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: readable,
        ...{ duplex: 'half' },
      })
      await writer.write(body.subarray(0, 9))
      await expect.poll(() => engine.statements.length).toBeGreaterThan(0)
      await end()
      own.clock.advance({ seconds: 2 })
      await writer.write(body.subarray(9))
      await writer.close()
      return (await answer).status
    }
    const admin = () => own.given.userWith(owner, ['teams:create'])
    const [blocked, signedOut, demoted, present] = [await admin(), await admin(), await admin(), await admin()]
    const { body: key } = await owner.post('/v1/admin/api-keys', { name: 'deploy', permissions: ['teams:create'] })
    const { body: roles } = await owner.get(`/v1/admin/users/${demoted.id}`)

    expect([
      await createSlowly(blocked.headers, () => owner.patch(`/v1/admin/users/${blocked.id}`, { blockedAt: new Date().toISOString() })),
      await createSlowly(signedOut.headers, () => owner.delete(`/v1/admin/users/${signedOut.id}/sessions`)),
      await createSlowly({ authorization: `Bearer ${key.key}` }, () => owner.delete(`/v1/admin/api-keys/${key.id}`)),
      await createSlowly(demoted.headers, () => owner.delete(`/v1/admin/users/${demoted.id}/roles`, { roleId: roles.roles[0].id })),
      await createSlowly(present.headers, async () => undefined),
    ]).toEqual([401, 401, 401, 403, 201])
    expect((await owner.get('/v1/admin/teams')).body.total).toBe(1)
    await own.stop()
  })
})
