import { describe, expect, it } from 'vitest'
import { type Authenticator, enrolAuthenticator } from '../support/authenticator.ts'
import { cookieOf, type SignedInUser } from '../support/given.ts'
import type { Answer } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** A user with an authenticator app. */
async function userWithMfa() {
  const { given, clock } = service()
  const organisation = await given.organisation()
  const user = await given.userWith(organisation.owner, [])
  const enrolled = await enrolAuthenticator(user, clock)
  return { ...enrolled, organisation, user, clock }
}

async function startedSignIn({ email, password }: { email: string; password: string }): Promise<string> {
  const login = await service().anonymous.post('/v1/auth/login', { email, password })
  expect(login).toMatchObject({ status: 200, body: { status: 'mfa_required' } })
  return login.body.mfaToken
}

const complete = (mfaToken: string, code: string) => service().anonymous.post('/v1/auth/login/mfa', { mfaToken, code })
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort()

describe('a sign-in of a user with MFA', () => {
  it('asks for a code instead of starting a session', async () => {
    const { user } = await userWithMfa()

    const login = await service().anonymous.post('/v1/auth/login', { email: user.email, password: user.password })

    expect(login).toMatchObject({ status: 200, body: { status: 'mfa_required', methods: ['totp'] } })
    expect(Object.keys(login.body).sort()).toEqual(['methods', 'mfaToken', 'status'])
    expect(login.headers.getSetCookie()).toEqual([])
    expect((await user.get('/v1/me/sessions')).body.data).toHaveLength(1)
  })

  it('starts a session with a code, with the response of any other sign-in', async () => {
    const { user, authenticator } = await userWithMfa()

    const done = await complete(await startedSignIn(user), authenticator.nextCode())

    expect(done).toMatchObject({
      status: 200,
      body: { status: 'authenticated', user: { id: user.id, email: user.email }, session: { id: expect.stringMatching(/^ses_/) } },
    })
    const session = { cookie: cookieOf(done), 'x-csrf-token': done.body.csrfToken }
    expect(await service().anonymous.get('/v1/me/profile', { headers: session })).toMatchObject({ status: 200, body: { id: user.id } })
  })

  it('starts a session with a backup code, however it is typed, and once', async () => {
    const { user, backupCodes } = await userWithMfa()
    const [code = ''] = backupCodes

    expect(await complete(await startedSignIn(user), code.toUpperCase().replaceAll('-', ' '))).toMatchObject({ status: 200 })

    expect(await complete(await startedSignIn(user), code)).toMatchObject({ status: 400, body: { detail: 'Invalid verification code' } })
  })

  it('accepts a code of the step before and of the step after, but of no other', async () => {
    const { user, authenticator, clock } = await userWithMfa()
    clock.advance({ minutes: 3 })

    expect(await complete(await startedSignIn(user), authenticator.code(-2))).toMatchObject({ status: 400 })
    expect(await complete(await startedSignIn(user), authenticator.code(2))).toMatchObject({ status: 400 })
    expect(await complete(await startedSignIn(user), authenticator.code(-1))).toMatchObject({ status: 200 })
    expect(await complete(await startedSignIn(user), authenticator.code(1))).toMatchObject({ status: 200 })
  })

  it('accepts no code again, nor an older one', async () => {
    const { user, authenticator } = await userWithMfa()
    const code = authenticator.nextCode()
    const older = authenticator.code(-1)
    expect(await complete(await startedSignIn(user), code)).toMatchObject({ status: 200 })

    const mfaToken = await startedSignIn(user)
    expect(await complete(mfaToken, code)).toMatchObject({ status: 400, body: { detail: 'Invalid verification code' } })
    expect(await complete(mfaToken, older)).toMatchObject({ status: 400 })
  })

  it('refuses a wrong code as invalid, and records a failed sign-in', async () => {
    const { user, authenticator, organisation } = await userWithMfa()
    const mfaToken = await startedSignIn(user)

    expect(await complete(mfaToken, authenticator.wrongCode())).toMatchObject({
      status: 400,
      body: { title: 'Bad Request', detail: 'Invalid verification code' },
    })

    const { body } = await organisation.owner.get(`/v1/admin/audit-logs?action=login.failed&targetId=${user.id}`)
    expect(body.data).toMatchObject([{ actorId: null, metadata: { reason: 'wrong code' } }])
    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({ status: 200 })
  })
})

describe('an mfaToken', () => {
  it('works once', async () => {
    const { user, authenticator } = await userWithMfa()
    const mfaToken = await startedSignIn(user)
    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({ status: 200 })

    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({
      status: 401,
      body: { detail: 'Invalid or expired MFA token' },
    })
  })

  it('works for five minutes', async () => {
    const { user, authenticator, clock } = await userWithMfa()
    const [early, late] = [await startedSignIn(user), await startedSignIn(user)]

    clock.advance({ minutes: 4, seconds: 30 })
    expect(await complete(early, authenticator.code())).toMatchObject({ status: 200 })
    clock.advance({ seconds: 40 })
    expect(await complete(late, authenticator.code())).toMatchObject({ status: 401 })
  })

  it('is invalid after five wrong codes, and then the user has to wait', async () => {
    const { user, authenticator, clock } = await userWithMfa()
    const mfaToken = await startedSignIn(user)
    for (let failure = 1; failure <= 5; failure++)
      expect(await complete(mfaToken, authenticator.wrongCode())).toMatchObject({ status: 400 })

    const limited = await complete(mfaToken, authenticator.nextCode())
    expect(limited).toMatchObject({ status: 429 })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await complete(await startedSignIn(user), authenticator.nextCode())).toMatchObject({ status: 429 })

    clock.advance({ minutes: 4 })
    expect(await complete(mfaToken, authenticator.code())).toMatchObject({ status: 401 })
    expect(await complete(await startedSignIn(user), authenticator.code())).toMatchObject({ status: 200 })
  })

  it('that was never issued is refused like a used one', async () => {
    expect(await complete('made-up', '123456')).toMatchObject({ status: 401, body: { detail: 'Invalid or expired MFA token' } })
    expect(await service().anonymous.post('/v1/auth/login/mfa', { mfaToken: 7 })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['mfaToken'] }, { path: ['code'] }] },
    })
  })

  it('ends when a new password is set', async () => {
    const { user, authenticator, organisation } = await userWithMfa()
    const mfaToken = await startedSignIn(user)
    await organisation.owner.post(`/v1/admin/users/${user.id}/password-reset`)
    const token = await service().mailbox.tokenTo(user.email, 'Choose a new password')
    await service().anonymous.post('/v1/auth/password/reset', { token, password: 'another long passphrase' })

    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({ status: 401 })
  })

  it('does not sign in a blocked user, nor one of a suspended organisation', async () => {
    const { user, authenticator, organisation } = await userWithMfa()
    const mfaToken = await startedSignIn(user)
    await organisation.owner.patch(`/v1/admin/users/${user.id}`, { blockedAt: new Date().toISOString() })
    expect(await complete(mfaToken, authenticator.nextCode())).toMatchObject({ status: 401 })

    const other = await userWithMfa()
    const otherToken = await startedSignIn(other.user)
    await service().operator.patch(`/v1/system/organisations/${other.organisation.id}/suspend`, { reason: 'unpaid' })
    expect(await complete(otherToken, other.authenticator.nextCode())).toMatchObject({
      status: 403,
      body: { detail: 'Organisation is suspended' },
    })
  })

  it.each<[string, (user: { user: SignedInUser; authenticator: Authenticator }, mfaToken: string) => Promise<unknown>]>([
    ['used', ({ authenticator }, mfaToken) => complete(mfaToken, authenticator.nextCode())],
    ['expired', async () => service().clock.advance({ minutes: 6 })],
  ])('is invalid once it is %s, also of a suspended organisation, and leaves no further failed sign-in', async (_state, spend) => {
    const { user, authenticator, organisation } = await userWithMfa()
    const mfaToken = await startedSignIn(user)
    await spend({ user, authenticator }, mfaToken)
    await service().operator.patch(`/v1/system/organisations/${organisation.id}/suspend`, { reason: 'unpaid' })

    expect(await complete(mfaToken, '000000')).toMatchObject({ status: 401, body: { code: 'invalid-mfa-token' } })

    await service().operator.patch(`/v1/system/organisations/${organisation.id}/activate`)
    const owner = await service().given.signIn(organisation.owner.email, organisation.owner.password)
    expect(await owner.audit({ action: 'login.failed' })).toEqual([])
  })
})

describe('two who complete a sign-in at the same moment', () => {
  it('with the same mfaToken: one is signed in', async () => {
    const { user, authenticator, backupCodes } = await userWithMfa()
    const mfaToken = await startedSignIn(user)

    const answers = await Promise.all([complete(mfaToken, authenticator.nextCode()), complete(mfaToken, backupCodes[0] ?? '')])

    expect(statusesOf(answers)).toEqual([200, 401])
  })

  it('with the same code: one is signed in', async () => {
    const { user, authenticator } = await userWithMfa()
    const tokens = [await startedSignIn(user), await startedSignIn(user), await startedSignIn(user)]
    const code = authenticator.nextCode()

    expect(statusesOf(await Promise.all(tokens.map((token) => complete(token, code))))).toEqual([200, 400, 400])
  })

  it('with the same backup code: one is signed in', async () => {
    const { user, backupCodes } = await userWithMfa()
    const tokens = [await startedSignIn(user), await startedSignIn(user), await startedSignIn(user)]

    expect(statusesOf(await Promise.all(tokens.map((token) => complete(token, backupCodes[3] ?? ''))))).toEqual([200, 400, 400])
  })

  it('with many guesses: no more than five are tried', async () => {
    const { user, authenticator } = await userWithMfa()
    const tokens = await Promise.all(Array.from({ length: 4 }, () => startedSignIn(user)))
    const wrong = authenticator.wrongCode()

    const answers = await Promise.all(tokens.flatMap((token) => [1, 2, 3].map(() => complete(token, wrong))))

    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })
})
