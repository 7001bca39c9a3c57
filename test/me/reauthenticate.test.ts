import { describe, expect, it } from 'vitest'
import type { UserCaller } from '../../src/access/caller.ts'
import { findSession } from '../../src/access/queries.ts'
import { requireFresh } from '../../src/access/require-fresh.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import type { SignedInUser } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'

const service = useService()
const path = '/v1/me/reauthenticate'

async function aUser() {
  const { owner } = await service().given.organisation()
  return { owner, user: await service().given.userWith(owner, []) }
}

async function aUserWithMfa() {
  const { owner, user } = await aUser()
  return { owner, user, ...(await enrolAuthenticator(user, service().clock)) }
}

/** Asks for a recent sign-in, as an operation does. @returns the refusal */
async function refusalFor(user: SignedInUser) {
  const { database, services } = service()
  const session = await findSession(database, hashSecret(user.cookie.replace('svc_session=', '')))
  if (!session) throw new Error('The session has ended')
  const { userId, provenAt, organisationId } = session
  return requireFresh({ database, relyingParty: services.relyingParty }, {
    organisationId,
    session: { userId, provenAt },
  } as UserCaller).then(
    () => undefined,
    ({ code, members }) => ({ code, ...members }),
  )
}

const later = () => service().clock.advance({ seconds: 901 })
const trail = async (owner: SignedInUser, user: SignedInUser) => await owner.audit({ actorId: user.id, action: 'session.reauthenticated' })

describe('a recent sign-in', () => {
  it('is at most fifteen minutes old', async () => {
    const { user } = await aUser()
    expect(await refusalFor(user)).toBeUndefined()

    service().clock.advance({ seconds: 840 })
    expect(await refusalFor(user)).toBeUndefined()

    service().clock.advance({ seconds: 61 })
    expect(await refusalFor(user)).toEqual({ code: 'recent-sign-in-required', methods: ['password'], maxAgeSeconds: 900 })
  })

  it('takes the second factor of those who have one', async () => {
    const { user } = await aUserWithMfa()
    later()
    expect(await refusalFor(user)).toEqual({ code: 'recent-sign-in-required', methods: ['code'], maxAgeSeconds: 900 })
  })
})

describe('POST /v1/me/reauthenticate', () => {
  it('takes the password for a recent sign-in, of this session alone', async () => {
    const { owner, user } = await aUser()
    const other = await service().given.signIn(user.email)
    later()
    const before = await findSession(service().database, hashSecret(user.cookie.replace('svc_session=', '')))

    const { status, body } = await user.post(path, { password: user.password })

    expect({ status, body }).toEqual({ status: 200, body: { reauthenticatedAt: expect.stringMatching(/Z$/) } })
    expect(await refusalFor(user)).toBeUndefined()
    expect(await refusalFor(other)).toMatchObject({ code: 'recent-sign-in-required' })
    const after = await findSession(service().database, hashSecret(user.cookie.replace('svc_session=', '')))
    // What applications learn of the sign-in stays.
    expect(after).toMatchObject({ authenticatedAt: before?.authenticatedAt, authenticationMethods: before?.authenticationMethods })
    const entries = await trail(owner, user)
    expect(entries).toMatchObject([{ targetId: user.sessionId, metadata: { factor: 'password' } }])
    expect(JSON.stringify(entries)).not.toContain(user.password)
    later()
    expect(await refusalFor(user)).toMatchObject({ code: 'recent-sign-in-required' })
  })

  it.each(['a code', 'a backup code'])('takes %s of a user with a second factor', async (kind) => {
    const { owner, user, authenticator, backupCodes } = await aUserWithMfa()
    later()
    const code = kind === 'a code' ? authenticator.nextCode() : (backupCodes[0] ?? '')

    expect(await user.post(path, { code })).toMatchObject({ status: 200 })

    expect(await refusalFor(user)).toBeUndefined()
    expect(await trail(owner, user)).toMatchObject([{ metadata: { factor: kind === 'a code' ? 'totp' : 'backup_code' } }])
    // It has been used up.
    expect(await user.post(path, { code })).toMatchObject({ status: 400, body: { detail: 'Invalid verification code' } })
  })

  it('does not take the password of a user with a second factor, right or wrong', async () => {
    const { owner, user } = await aUserWithMfa()
    later()

    for (const password of [user.password, 'a wrong one']) {
      expect(await user.post(path, { password })).toMatchObject({ status: 400, body: { code: 'second-factor-required' } })
    }

    expect(await refusalFor(user)).toMatchObject({ methods: ['code'] })
    expect(await trail(owner, user)).toEqual([])
    expect(await owner.audit({ targetId: user.id, action: 'login.failed' })).toEqual([])
  })

  it('counts wrong passwords as failed sign-ins, and changes nothing', async () => {
    const { owner, user } = await aUser()
    later()
    for (let failure = 1; failure <= 10; failure++) {
      expect(await user.post(path, { password: 'a wrong one' })).toMatchObject({
        status: 400,
        body: { code: 'wrong-password', errors: [{ path: ['password'], reason: 'wrong-password' }] },
      })
    }

    expect(await user.post(path, { password: user.password })).toMatchObject({ status: 429 })
    const credentials = { email: user.email, password: user.password }
    expect(await service().anonymous.post('/v1/auth/login', credentials)).toMatchObject({ status: 429 })
    expect(await refusalFor(user)).toMatchObject({ code: 'recent-sign-in-required' })
    expect(await trail(owner, user)).toEqual([])
    expect(await owner.audit({ targetId: user.id, action: 'login.failed' })).toHaveLength(10)
  })

  it('counts wrong codes together with those of every other route', async () => {
    const { user, authenticator } = await aUserWithMfa()
    for (let failure = 1; failure <= 5; failure++) {
      const route =
        failure % 2 === 0 ? ['/v1/me/mfa/check', { token: authenticator.wrongCode() }] : [path, { code: authenticator.wrongCode() }]
      expect((await user.post(String(route[0]), route[1])).status).toBe(failure % 2 === 0 ? 200 : 400)
    }

    expect(await user.post(path, { code: authenticator.nextCode() })).toMatchObject({ status: 429 })
  })

  it('takes one code once, of twenty that use it at once', async () => {
    const { owner, user, authenticator } = await aUserWithMfa()
    const code = authenticator.nextCode()

    const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, { code })))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await trail(owner, user)).toHaveLength(1)
  })

  it.each([
    ['nothing', {}],
    ['a number as the password', { password: 1 }],
    ['an empty code', { code: '' }],
  ])('refuses %s', async (_, body) => {
    const { user } = await aUser()
    expect(await user.post(path, body)).toMatchObject({ status: 400, body: { code: 'invalid-input' } })
  })
})

describe('/reauthenticate', () => {
  it('asks for the password, and leads back', async () => {
    const { user } = await aUser()
    later()
    const browser = new PageVisitor(service().origin, user.cookie)
    const page = '/reauthenticate?returnTo=/account/password'
    expect((await browser.open(page)).body).toContain('name="password"')

    expect(await browser.submit(page, { password: 'a wrong one' })).toMatchObject({
      status: 400,
      body: expect.stringContaining('This is not your password'),
    })
    expect(await refusalFor(user)).toMatchObject({ code: 'recent-sign-in-required' })

    const done = await browser.submit(page, { password: user.password })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/account/password'])
    expect(await refusalFor(user)).toBeUndefined()
  })

  it('asks for a code where there is a second factor, which may be typed in groups', async () => {
    const { user, authenticator } = await aUserWithMfa()
    later()
    const browser = new PageVisitor(service().origin, user.cookie)
    const { body } = await browser.open('/reauthenticate?ui_locales=de')
    expect(body).toContain('name="code"')
    expect(body).not.toContain('name="password"')
    expect(body).toContain('lang="de"')

    const code = authenticator.nextCode()
    const done = await browser.submit('/reauthenticate?ui_locales=de', { code: `${code.slice(0, 3)} ${code.slice(3)}` })

    expect([done.status, done.headers.get('location')]).toEqual([303, '/?ui_locales=de'])
    expect(await refusalFor(user)).toBeUndefined()
  })

  it('sends a code to the phone', async () => {
    const { owner } = await aUser()
    await owner.patch('/v1/admin/organisation', { allowedMfaMethods: ['totp', 'sms'] })
    const user = await service().given.userWith(owner, [])
    const phone = `+4915${String(Math.random()).slice(2, 11)}`
    await user.post('/v1/me/mfa/enable', { method: 'sms', phone })
    await user.post('/v1/me/mfa/verify', { token: service().phones.codeTo(phone) })
    const browser = new PageVisitor(service().origin, user.cookie)

    const sent = await browser.submit('/reauthenticate/code?returnTo=/account', {}, {}, '/reauthenticate?returnTo=/account')
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/reauthenticate?notice=sent&returnTo=%2Faccount'])

    const done = await browser.submit('/reauthenticate?returnTo=/account', { code: service().phones.codeTo(phone) })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/account'])
  })

  it('leads nowhere else, and sends a browser without a session to sign in', async () => {
    const { user } = await aUser()
    const browser = new PageVisitor(service().origin, user.cookie)
    const away = await browser.submit('/reauthenticate?returnTo=//evil.example', { password: user.password })
    expect([away.status, away.headers.get('location')]).toEqual([303, '/'])

    const stranger = await new PageVisitor(service().origin).open('/reauthenticate?returnTo=/account')
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/login?returnTo=%2Freauthenticate%3FreturnTo%3D%2Faccount'])
  })
})
