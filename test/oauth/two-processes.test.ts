import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byAssertion, clientKey } from '../support/client-keys.ts'
import { databaseKind } from '../support/database.ts'
import { SignedInUser } from '../support/given.ts'
import { type Answer, HttpClient } from '../support/http-client.ts'
import { callbackOf, headerOf, pkce, postForm, TestApplication } from '../support/oauth.ts'
import type { PasskeyForm } from '../support/page-visitor.ts'
import { PasskeyDevice, registerPasskey } from '../support/passkeys.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { twentyAtOnce } from '../support/twenty-at-once.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const secretKey = randomBytes(32).toString('base64')
const systemApiKey = 'sk_of_the_two_processes_of_this_test_file'
const offline = { scope: 'openid offline_access' }
const redirectUri = 'https://portal.example.test/callback'

describe.runIf(databaseKind() === 'postgres')('two processes on one PostgreSQL', () => {
  let processes: [ServiceProcess, ServiceProcess]
  /** The same client and the same signed-in owner, at each of the processes. */
  let applications: [TestApplication, TestApplication]
  let removeHome = async () => {}

  beforeAll(async () => {
    const home = await processHome()
    removeHome = home.remove
    const environment = {
      ...home.environment,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      SECRET_KEY: secretKey,
      SYSTEM_API_KEY: systemApiKey,
      OAUTH_EXTENSIONS: 'step_up,private_key_jwt,par,dpop',
      BOOTSTRAP_OWNER_PASSWORD: account.password,
    }
    const first = await (await ServiceProcess.start(environment)).ready()
    const second = await (await ServiceProcess.start(environment)).ready()
    processes = [first, second]

    const login = await first.anonymous.post('/v1/auth/login', account)
    expect(login).toMatchObject({ status: 200 })
    const owner = new SignedInUser(first.origin, login, account)
    const { body: organisation } = await owner.get('/v1/admin/organisation')
    const registered = await owner.post('/v1/admin/clients', {
      name: 'Portal',
      clientType: 'confidential',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: ['reports:read'],
    })
    expect(registered).toMatchObject({ status: 201 })
    applications = processes.map(({ anonymous, origin }) => {
      const ownerHere = new SignedInUser(origin, login, account)
      return new TestApplication(anonymous, { ...organisation, owner: ownerHere }, registered.body)
    }) as [TestApplication, TestApplication]
  })
  afterAll(async () => {
    await Promise.all((processes ?? []).map((program) => program.end()))
    await removeHome()
  })

  /** Sends the same form 50 times at once, alternating between the two. */
  async function fiftyAtOnce(form: Record<string, string>): Promise<Answer[]> {
    const { authorization } = applications[0]
    return Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        postForm(processes[index % 2 === 0 ? 0 : 1].anonymous, '/oauth2/token', form, authorization),
      ),
    )
  }

  /** Exactly one response contains tokens, and none of them is valid any more at either process. */
  async function expectOneResponseWithRevokedTokens(answers: Answer[]): Promise<void> {
    const issued = answers.filter(({ status }) => status === 200)
    expect(issued).toHaveLength(1)
    for (const { status, body } of answers) {
      if (status !== 200) expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    }
    const [{ access_token: accessToken, refresh_token: refreshToken }] = issued.map(({ body }) => body)
    for (const application of applications) {
      expect((await application.introspect(accessToken)).body).toEqual({ active: false })
      expect((await application.introspect(refreshToken)).body).toEqual({ active: false })
      expect(await application.userInfo(accessToken)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
      expect(await application.refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    }
  }

  it('take an assertion of a client once', async () => {
    const key = await clientKey('ES256', 'own')
    const { owner } = applications[0].organisation
    const registered = await owner.post('/v1/admin/clients', {
      name: 'Robot',
      clientType: 'confidential',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.publicKey] },
      grantTypes: ['client_credentials'],
    })
    expect(registered).toMatchObject({ status: 201 })
    const { id } = registered.body
    const now = Math.floor(Date.now() / 1_000)
    const claims = { iss: id, sub: id, aud: 'http://gatehouse.test', exp: now + 300, jti: 'once' }
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: 'own' }).sign(key.privateKey)
    const form = { grant_type: 'client_credentials', ...byAssertion(assertion) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => postForm(processes[index % 2 === 0 ? 0 : 1].anonymous, '/oauth2/token', form)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_client')).toHaveLength(19)
  })

  it('take a pushed request once, and a proof of a key', async () => {
    const { challenge } = pkce()
    const parameters = { response_type: 'code', redirect_uri: redirectUri, code_challenge: challenge, code_challenge_method: 'S256' }
    const pushed = await applications[0].post('/oauth2/par', parameters)
    expect(pushed).toMatchObject({ status: 201 })
    const query = new URLSearchParams({ client_id: applications[0].id, request_uri: pushed.body.request_uri })
    const atOnce = <T>(ask: (application: TestApplication) => Promise<T>) =>
      Promise.all(Array.from({ length: 20 }, (_, index) => ask(applications[index % 2 === 0 ? 0 : 1])))
    const opened = await atOnce(({ organisation }) => organisation.owner.get(`/oauth2/authorize?${query}`))
    expect(opened.filter((answer) => callbackOf(answer).has('code'))).toHaveLength(1)

    const key = await clientKey('ES256')
    const claims = { htm: 'POST', htu: 'http://gatehouse.test/oauth2/token', jti: 'once', iat: Math.floor(Date.now() / 1_000) }
    const dpop = await new SignJWT(claims).setProtectedHeader({ typ: 'dpop+jwt', alg: key.alg, jwk: key.publicKey }).sign(key.privateKey)
    const answers = await atOnce((application) =>
      application.token({ grant_type: 'client_credentials' }, { ...application.authorization, dpop }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_dpop_proof')).toHaveLength(19)
  })

  it('issue tokens once for a code that is presented to both 50 times at once, and end the family', async () => {
    for (const application of applications) {
      const { code, verifier } = await application.code(offline)

      const answers = await fiftyAtOnce({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      })

      await expectOneResponseWithRevokedTokens(answers)
    }
  })

  it('exchange once a refresh token that is presented to both 50 times at once, and end the family', async () => {
    for (const application of applications) {
      const { access_token: former, refresh_token: token } = await application.signIn(offline)

      const answers = await fiftyAtOnce({ grant_type: 'refresh_token', refresh_token: token })

      await expectOneResponseWithRevokedTokens(answers)
      expect((await application.introspect(former)).body).toEqual({ active: false })
    }
  })

  it('respect a revocation at once', async () => {
    const [here, there] = applications
    const { access_token: token } = await here.signIn(offline)
    expect((await there.introspect(token)).body.active).toBe(true)

    expect(await here.revoke(token)).toMatchObject({ status: 200 })

    expect((await there.introspect(token)).body).toEqual({ active: false })
  })

  it('repeat a response within the grace period of a refresh, whichever of them sent it first', async () => {
    const [here, there] = applications
    await here.organisation.owner.patch(`/v1/admin/clients/${here.id}`, { refreshTokenGraceSeconds: 60 })
    const { refresh_token: token } = await here.signIn(offline)

    const [first, again] = [await here.refresh(token), await there.refresh(token)]

    expect(first).toMatchObject({ status: 200 })
    expect(again.body).toEqual(first.body)
    await here.organisation.owner.patch(`/v1/admin/clients/${here.id}`, { refreshTokenGraceSeconds: 0 })
  })

  describe('raise a session once that is raised at both twenty times at once', () => {
    const pageFor = (level: string) => `/login/mfa?${new URLSearchParams({ for: 'session', level, returnTo: '/account' })}`
    const { email: ownerEmail } = account
    let created = 0
    /** A user of their own, so that the owner stays signed in. */
    const aUser = async () => {
      const credentials = { email: ownerEmail.replace('owner', `user-${++created}`), password: account.password }
      const fields = { ...credentials, firstName: 'Test', lastName: 'User' }
      const { body } = await applications[0].organisation.owner.post('/v1/admin/users', fields)
      const login = await processes[0].anonymous.post('/v1/auth/login', credentials)
      expect(login).toMatchObject({ status: 200 })
      return { id: body.id as string, user: new SignedInUser(processes[0].origin, login, credentials) }
    }
    const origins = () => processes.map(({ origin }) => origin)
    const expectOneWinner = async (id: string, answers: { status: number; cookies: string[] }[], metadata: object) => {
      expect(answers.every(({ status }) => status < 500)).toBe(true)
      const [winner, ...others] = answers.flatMap(({ cookies }) => cookies)
      expect(others).toEqual([])
      const raised = new HttpClient(processes[1].origin, { cookie: winner?.split(';')[0] ?? '' })
      expect(await raised.get('/v1/auth/csrf')).toMatchObject({ status: 200 })
      const { data } = (await applications[1].organisation.owner.get('/v1/admin/audit-logs?action=session.stepped_up')).body
      expect(data.filter(({ actorId }: { actorId: string }) => actorId === id)).toMatchObject([{ metadata }])
    }

    it('by a code', async () => {
      const { id, user } = await aUser()
      const { secret } = (await user.post('/v1/me/mfa/enable')).body
      const totp = new TOTP({ secret })
      const now = Date.now()
      await user.post('/v1/me/mfa/verify', { token: totp.generate({ timestamp: now }) })
      // Of the next half minute: the one of this is used up.
      const code = totp.generate({ timestamp: now + 30_000 })

      const answers = await twentyAtOnce(origins(), pageFor('aal2'), user.cookie, () => ({ code }))

      await expectOneWinner(id, answers, { factor: 'totp', level: 'aal2' })
    })

    it('by a passkey, with one response and with one each', async () => {
      for (const isOne of [true, false]) {
        const { id, user } = await aUser()
        const device = new PasskeyDevice({ signCounterIncrement: 0 })
        await registerPasskey(user, device)
        let first: Record<string, string> | undefined
        const fieldsFor = (_: number, form: PasskeyForm | undefined) => {
          const { flowToken = '', options = {} } = form ?? {}
          const fields = { flowToken, credential: JSON.stringify(device.get(options)) }
          first ??= fields
          return isOne ? first : fields
        }

        const answers = await twentyAtOnce(origins(), pageFor('phr'), user.cookie, fieldsFor)

        await expectOneWinner(id, answers, { factor: 'verified_synced_passkey', level: 'phr' })
      }
    })
  })

  describe('after a rotation of the signing keys', () => {
    const rotate = async (form: object) => {
      const operator = new HttpClient(processes[0].origin, { authorization: `Bearer ${systemApiKey}` })
      const { status, body } = await operator.post('/v1/system/signing-keys/rotate', form)
      expect(status).toBe(200)
      return body.data as { kid: string; state: string }[]
    }
    const publishedBy = async ({ anonymous }: ServiceProcess): Promise<string[]> =>
      (await anonymous.get('/oauth2/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid).sort()
    const signerOf = async (application: TestApplication): Promise<string> => {
      const { status, body } = await application.token({ grant_type: 'client_credentials' })
      expect(status).toBe(200)
      return headerOf(body.access_token).kid
    }
    const kidsIn = (keys: { kid: string; state: string }[], state: string) =>
      keys.filter((key) => key.state === state).map(({ kid }) => kid)

    it('sign with the same key until the next one has been published for long enough, and publish both', async () => {
      const keys = await rotate({})
      const published = keys.map(({ kid }) => kid).sort()
      for (const program of processes) {
        await program.until(async () => (await publishedBy(program)).join() === published.join())
      }

      expect(published).toHaveLength(2)
      expect(await Promise.all(applications.map(signerOf))).toEqual(Array(2).fill(kidsIn(keys, 'current')[0]))
    })

    it('sign with the same new key when the previous ones are withdrawn, and accept nothing signed by those', async () => {
      const { access_token: former } = (await applications[1].token({ grant_type: 'client_credentials' })).body
      const keys = await rotate({ withdraw: true })
      const [current] = kidsIn(keys, 'current')
      for (const program of processes) await program.until(async () => (await publishedBy(program)).join() === current)

      expect(kidsIn(keys, 'current')).toHaveLength(1)
      expect(await Promise.all(applications.map(signerOf))).toEqual([current, current])
      const [fromHere, fromThere] = await Promise.all(applications.map((application) => application.signIn(offline)))
      expect((await applications[1].introspect(fromHere?.access_token ?? '')).body.active).toBe(true)
      expect((await applications[0].introspect(fromThere?.access_token ?? '')).body.active).toBe(true)
      for (const application of applications) expect((await application.introspect(former)).body).toEqual({ active: false })
    })
  })
})
