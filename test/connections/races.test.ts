import { randomBytes, randomInt } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { SignedInUser, unique } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const systemApiKey = 'sk_of_the_races_by_connections_of_this_test_file'
const rounds = 4

describe.runIf(databaseKind() === 'postgres')('sign-ins by a connection at two processes', () => {
  let environment: Record<string, string>
  let processes: [ServiceProcess, ServiceProcess]
  let owner: SignedInUser
  let connectionId: string
  let provider: IdentityProvider & { close(): Promise<void> }
  let removeHome = async () => {}

  beforeAll(async () => {
    const home = await processHome()
    removeHome = home.remove
    environment = {
      ...home.environment,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      SECRET_KEY: randomBytes(32).toString('base64'),
      SYSTEM_API_KEY: systemApiKey,
      BOOTSTRAP_OWNER_PASSWORD: account.password,
      RATE_LIMIT: 'off',
    }
    provider = await listeningProvider()
    provider.behaviour.userOf = (request) => {
      const login = request.get('login_hint') ?? ''
      return { sub: login, email: `${login}@example.test`, email_verified: true }
    }
    const first = await (await ServiceProcess.start(environment)).ready()
    processes = [first, await (await ServiceProcess.start(environment)).ready()]
    owner = await signInOwner()
    connectionId = await createConnection()
  })
  afterAll(async () => {
    await Promise.all((processes ?? []).map((program) => program.end()))
    await provider?.close()
    await removeHome()
  })
  beforeEach(() => {
    provider.behaviour.intercept = undefined
  })

  const signInOwner = async () => {
    const [{ anonymous, origin }] = processes
    return new SignedInUser(origin, await anonymous.post('/v1/auth/login', account), account)
  }

  async function createConnection(): Promise<string> {
    const created = await owner.post('/v1/admin/connections', {
      ...{ name: 'Acme', slug: `acme-${unique()}`, provider: 'oidc', secret: 'secret', provisioning: 'jit' },
      configuration: {
        ...{ issuer: provider.issuer, clientId: 'gatehouse', clientAuthentication: 'client_secret_basic' },
        ...{ emailTrust: 'verified_claim', userInfo: false, allowedDomains: ['*'] },
      },
    })
    expect(created).toMatchObject({ status: 201 })
    return created.body.id
  }

  /** A browser that comes back from the provider, and has not arrived yet. */
  async function begin(at: ServiceProcess, login: string) {
    const visitor = new PageVisitor(at.origin)
    const parameters = new URLSearchParams({ returnTo: '/account', login_hint: login })
    const started = await visitor.open(`/federation/${connectionId}/start?${parameters}`)
    expect(started.status).toBe(303)
    const { pathname, search } = new URL(provider.authorize(new URL(started.headers.get('location') ?? '').searchParams))
    return { visitor, path: pathname + search, arrive: () => visitor.open(pathname + search) }
  }

  /** Whether the browser is signed in, at the other process. */
  const isSignedIn = async ({ cookie }: PageVisitor) => {
    const browser = new HttpClient(processes[1].origin, { cookie })
    const { body } = await browser.get('/v1/auth/csrf')
    return (await browser.with({ 'x-csrf-token': body.csrfToken }).get('/v1/me/profile')).status === 200
  }
  const usersOf = async (login: string) =>
    (await owner.get(`/v1/admin/users?${new URLSearchParams({ q: `${login}@example.test` })}`)).body.data as { id: string }[]
  const identitiesOf = async (id: string) => (await owner.get(`/v1/admin/users/${id}/identities`)).body.data as { subject: string }[]

  /** A user who has signed in once, and comes again while something else happens. */
  async function comesAgainWhile(change: (userId: string) => Promise<unknown>) {
    const login = unique()
    await (await begin(processes[0], login)).arrive()
    const [user] = await usersOf(login)
    const { visitor, arrive } = await begin(processes[1], login)
    const [answer] = await Promise.all([arrive(), change(user?.id ?? '')])
    expect(answer.status).toBeLessThan(500)
    return { id: user?.id ?? '', login, visitor, answer }
  }

  it('of one subject that was never there, all at once, make one user with one identity, and all succeed', async () => {
    // One that sees the user and not yet the identity is rare.
    for (let round = 0; round < 5 * rounds; round++) {
      const login = unique()
      const browsers = await Promise.all(Array.from({ length: 10 }, (_, index) => begin(processes[index % 2 === 0 ? 0 : 1], login)))
      const answers = await Promise.all(browsers.map(({ arrive }) => arrive()))
      expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(answers.map(() => [303, '/account']))
      const users = await usersOf(login)
      expect(users).toHaveLength(1)
      expect(await identitiesOf(users[0]?.id ?? '')).toMatchObject([{ subject: login }])
    }
  })

  it('with one state succeed once', async () => {
    for (let round = 0; round < rounds; round++) {
      const { visitor, path } = await begin(processes[0], unique())
      const { cookie } = visitor
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => new HttpClient(processes[index % 2 === 0 ? 0 : 1].origin, { cookie }).get(path)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array.from({ length: 7 }, () => 400)])
    }
  })

  it('leave no session of a user who is blocked meanwhile', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id, visitor, login } = await comesAgainWhile((userId) =>
        owner.patch(`/v1/admin/users/${userId}`, { blockedAt: new Date().toISOString() }),
      )
      expect((await owner.get(`/v1/admin/users/${id}`)).body).toMatchObject({ blockedAt: expect.any(String) })
      expect(await isSignedIn(visitor)).toBe(false)
      expect((await owner.get(`/v1/admin/users/${id}/sessions`)).body.data).toEqual([])
      expect(await (await begin(processes[0], login)).arrive()).toMatchObject({ status: 403 })
    }
  })

  it('leave no session of a connection that is deactivated with its sessions meanwhile', async () => {
    for (let round = 0; round < rounds; round++) {
      const path = `/v1/admin/connections/${connectionId}`
      const { id, visitor } = await comesAgainWhile(() => owner.patch(path, { isActive: false, endSessions: true }))
      expect(await isSignedIn(visitor)).toBe(false)
      expect((await owner.get(`/v1/admin/users/${id}/sessions`)).body.data).toEqual([])
      expect(await owner.patch(path, { isActive: true })).toMatchObject({ status: 200 })
    }
  })

  it('leave no session of a connection that is deleted meanwhile', async () => {
    const other = connectionId
    for (let round = 0; round < rounds; round++) {
      connectionId = await createConnection()
      const { id, visitor } = await comesAgainWhile(() => owner.delete(`/v1/admin/connections/${connectionId}`))
      expect(await isSignedIn(visitor)).toBe(false)
      expect((await owner.get(`/v1/admin/users/${id}/sessions`)).body.data).toEqual([])
    }
    connectionId = other
  })

  it('make one user with an administrator who creates the same one meanwhile', async () => {
    for (let round = 0; round < rounds; round++) {
      const login = unique()
      const { visitor, arrive } = await begin(processes[1], login)
      const person = { email: `${login}@example.test`, firstName: 'Ada', lastName: 'Lovelace' }
      const [answer, created] = await Promise.all([arrive(), owner.post('/v1/admin/users', person)])
      const outcome = [created.status, answer.status, answer.headers.get('location')?.split('?')[0], await isSignedIn(visitor)]
      // The second request decides from what the first has left: the address is taken, or its user is asked first.
      expect([
        [409, 303, '/account', true],
        [201, 303, '/link', false],
      ]).toContainEqual(outcome)
      expect(await usersOf(login)).toHaveLength(1)
    }
  })

  it('make one user with an invitation that is sent meanwhile', async () => {
    const { body: roles } = await owner.get('/v1/admin/roles')
    const { id: roleId } = roles.data.find(({ slug }: { slug: string }) => slug === 'member')
    for (let round = 0; round < rounds; round++) {
      const login = unique()
      const { visitor, arrive } = await begin(processes[1], login)
      const invitation = { email: `${login}@example.test`, roleId }
      const [answer, invited] = await Promise.all([arrive(), owner.post('/v1/admin/invitations', invitation)])
      expect([answer.status, await isSignedIn(visitor)]).toEqual([303, true])
      expect([201, 400]).toContain(invited.status)
      const [user, ...others] = await usersOf(login)
      expect(others).toEqual([])
      expect(await identitiesOf(user?.id ?? '')).toHaveLength(1)
      // Whichever is first: the invitation is accepted, or not sent.
      if (invited.status === 201)
        expect((await owner.get(`/v1/admin/invitations/${invited.body.id}`)).body).toMatchObject({ status: 'accepted' })
    }
  })

  it('leave no session of an organisation that is suspended meanwhile', async () => {
    const { body: organisation } = await owner.get('/v1/admin/organisation')
    const operator = new HttpClient(processes[0].origin, { authorization: `Bearer ${systemApiKey}` })
    const path = `/v1/system/organisations/${organisation.id}`
    for (let round = 0; round < rounds; round++) {
      const { visitor } = await comesAgainWhile(() =>
        operator.patch(`${path}/suspend`, { reason: 'a race' }).then(({ status }) => expect(status).toBe(200)),
      )
      expect(await isSignedIn(visitor)).toBe(false)
      const refused = await new PageVisitor(processes[1].origin).open(`/federation/${connectionId}/start`)
      expect(refused.status).toBe(403)
      expect(await operator.patch(`${path}/activate`)).toMatchObject({ status: 200 })
      expect(await isSignedIn(visitor)).toBe(false)
      owner = await signInOwner()
    }
  })

  it('are begun anew after a process that was killed while it waited for the provider', async () => {
    const login = unique()
    const third = await (await ServiceProcess.start(environment)).ready()
    const { visitor, path, arrive } = await begin(third, login)
    const asked = new Promise<void>((resolve) => {
      provider.behaviour.intercept = async (asking) => {
        if (asking !== '/token') return undefined
        resolve()
        await third.end('SIGKILL')
        return new Response(null, { status: 503 })
      }
    })
    await Promise.all([asked, arrive().catch(() => undefined)])
    provider.behaviour.intercept = undefined

    expect(await usersOf(login)).toEqual([])
    // The code may have been used: what was begun is over.
    expect(await new HttpClient(processes[0].origin, { cookie: visitor.cookie }).get(path)).toMatchObject({ status: 400 })
    const again = await begin(processes[0], login)
    expect(await again.arrive()).toMatchObject({ status: 303 })
    expect(await isSignedIn(again.visitor)).toBe(true)
  })

  it('that were confirmed before a process was killed last, and no user is half made', async () => {
    for (let round = 0; round < 2; round++) {
      const third = await (await ServiceProcess.start(environment)).ready()
      const confirmed: PageVisitor[] = []
      const logins: string[] = []
      let left = randomInt(3, 12)
      const signIns = async () => {
        for (;;) {
          const login = unique()
          const begun = await begin(third, login).catch(() => undefined)
          if (!begun) return
          logins.push(login)
          const answer = await begun.arrive().catch(() => undefined)
          if (!answer) return
          expect(answer.status).toBe(303)
          confirmed.push(begun.visitor)
          if (--left === 0) await third.end('SIGKILL')
        }
      }
      await Promise.all(Array.from({ length: 4 }, signIns))

      expect(confirmed.length).toBeGreaterThan(0)
      for (const visitor of confirmed) expect(await isSignedIn(visitor)).toBe(true)
      for (const login of logins) {
        const [user] = await usersOf(login)
        if (user) expect(await identitiesOf(user.id)).toMatchObject([{ subject: login }])
        const { visitor, arrive } = await begin(processes[0], login)
        expect(await arrive()).toMatchObject({ status: 303 })
        expect(await isSignedIn(visitor)).toBe(true)
      }
    }
  })
})
