import { randomBytes, randomInt } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind } from '../support/database.ts'
import { DirectoryClient, givenDirectory, operations, person } from '../support/directories.ts'
import { testDnsServer } from '../support/dns-server.ts'
import { addDomain } from '../support/domains.ts'
import { SignedInUser, unique } from '../support/given.ts'
import { HttpClient } from '../support/http-client.ts'
import { givenApplication, postForm } from '../support/oauth.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const rounds = 3

const signIn = async (service: ServiceProcess) =>
  new SignedInUser(service.origin, await service.anonymous.post('/v1/auth/login', account), account)

describe.runIf(databaseKind() === 'postgres')('a deactivation at one process', () => {
  it('has ended session and refresh tokens at every process with its response', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const secretKey = randomBytes(32)
    const engine = openPostgres(home.environment.DATABASE_URL ?? '', { poolSize: 5 })
    const service = await startTestService({ engine, secretKey })
    onTestFinished(() => service.stop())
    const environment = {
      ...home.environment,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      SECRET_KEY: secretKey.toString('base64'),
      SYSTEM_API_KEY: service.systemApiKey,
      RATE_LIMIT: 'off',
      ROLES: 'api',
    }
    const [one, other] = await Promise.all([ServiceProcess.start(environment), ServiceProcess.start(environment)])
    onTestFinished(() => Promise.all([one.end('SIGKILL'), other.end('SIGKILL')]).then(() => {}))
    await Promise.all([one.ready(), other.ready()])

    const directory = await givenDirectory(service)
    const application = await givenApplication(service, { organisation: directory.organisation, requireConsent: false })
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const email = directory.address()
      const { id } = await service.given.user(directory.organisation.owner, { email })
      const tenant = service.database.tenant(directory.organisation.id)
      await tenant.updateTable('users').set({ emailVerifiedAt: tenant.now }).where('id', '=', id).execute()
      expect(await directory.scim.post('/Users', person(email))).toMatchObject({ status: 201, body: { id } })
      const user = await service.given.signIn(email)
      const { access_token, refresh_token } = await application.signIn({ scope: 'openid offline_access' }, user)
      const at = (place: ServiceProcess, client: HttpClient) => new HttpClient(place.origin, client.headers)
      const post = (place: ServiceProcess, path: string, form: Record<string, string>) =>
        postForm(place.anonymous, path, form, application.authorization)
      // Both know the session and the token before it ends.
      for (const place of [here, there]) {
        expect((await at(place, user).get('/v1/me/profile')).status).toBe(200)
        expect((await post(place, '/oauth2/introspect', { token: access_token })).body.active).toBe(true)
      }
      const scim = new DirectoryClient(`${here.origin}/scim/v2/${directory.id}`, directory.scim.headers)
      expect(await scim.patch(`/Users/${id}`, operations({ op: 'Replace', path: 'active', value: 'False' }))).toMatchObject({
        status: 200,
        body: { active: false },
      })
      for (const place of [there, here]) {
        expect((await at(place, user).get('/v1/me/profile')).status).toBe(401)
        expect((await post(place, '/oauth2/introspect', { token: access_token })).body).toEqual({ active: false })
        expect(await post(place, '/oauth2/token', { grant_type: 'refresh_token', refresh_token })).toMatchObject({
          status: 400,
          body: { error: 'invalid_grant' },
        })
      }
    }
  })
})

/** What a directory was told to have happened. */
interface Acknowledged {
  users: Map<string, { isActive: boolean; isMember: boolean }>
}

describe('a service that is killed while a directory synchronises', () => {
  it('has everything that it acknowledged, and nothing by halves', async () => {
    const [home, dns] = [await processHome(), await testDnsServer()]
    onTestFinished(() => home.remove())
    const environment = {
      ...home.environment,
      BOOTSTRAP_OWNER_PASSWORD: account.password,
      DNS_SERVERS: dns.address,
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
    }
    const start = async () => (await ServiceProcess.start(environment)).ready()
    const first = await start()
    const owner = await signIn(first)
    const { id: domainId, domain, challenge } = await addDomain(owner)
    dns.set(challenge.name, { texts: [challenge.value] })
    expect((await owner.post(`/v1/admin/domains/${domainId}/verify`)).status).toBe(200)
    const { id } = (await owner.post('/v1/admin/directories', { name: 'Entra ID' })).body
    const { token } = (await owner.post(`/v1/admin/directories/${id}/tokens`, {})).body
    const clientOf = ({ origin }: ServiceProcess) =>
      new DirectoryClient(`${origin}/scim/v2/${id}`, { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' })
    const { body: group } = await clientOf(first).post('/Groups', { displayName: 'Everyone' })

    const acknowledged: Acknowledged = { users: new Map() }
    let service = first
    for (let round = 0; round < rounds; round++) {
      if (round > 0) service = await start()
      await killAfter(service, clientOf(service), { domain, groupId: group.id, requests: randomInt(3, 40), acknowledged })
    }

    service = await start()
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    const scim = clientOf(service)
    const members = ((await scim.get(`/Groups/${group.id}`)).body.members ?? []).map(({ value }: { value: string }) => value)
    for (const [userId, { isActive, isMember }] of acknowledged.users) {
      const { status, body } = await scim.get(`/Users/${userId}`)
      expect(status).toBe(200)
      // What was sent and not acknowledged may have happened, too.
      if (!isActive) expect(body.active).toBe(false)
      if (isMember) expect(members).toContain(userId)
    }
    expect(acknowledged.users.size).toBeGreaterThan(0)
    const admin = await signIn(service)
    const { Resources } = (await scim.get('/Users?count=200')).body
    const managed = Resources.map((one: { id: string }) => one.id).filter((one: string) => one !== admin.id)
    const created = (await admin.audit({ action: 'user.created' })).map(({ targetId }: { targetId: string }) => targetId)
    expect(created.sort()).toEqual(managed.sort())
    const { data: teams } = (await admin.get('/v1/admin/teams')).body
    expect(teams.find(({ name }: { name: string }) => name === 'Everyone')).toMatchObject({ memberCount: members.length })
  })
})

/** Sends users, their membership and their deactivation until so many responses have come, and kills the process meanwhile. */
async function killAfter(
  service: ServiceProcess,
  scim: DirectoryClient,
  { domain, groupId, requests, acknowledged: { users } }: { domain: string; groupId: string; requests: number; acknowledged: Acknowledged },
): Promise<void> {
  let left = requests
  const sent = async (request: ReturnType<DirectoryClient['post']>) => {
    const response = await request.catch(() => undefined)
    if (!response) return undefined
    expect(response.status).toBeLessThan(300)
    if (--left === 0) await service.end('SIGKILL')
    return response
  }
  const stream = async () => {
    for (;;) {
      const created = await sent(scim.post('/Users', person(`p-${unique()}@${domain}`)))
      if (!created) return
      const { id } = created.body
      users.set(id, { isActive: true, isMember: false })
      if (!(await sent(scim.patch(`/Groups/${groupId}`, operations({ op: 'Add', path: 'members', value: [{ value: id }] }))))) return
      users.set(id, { isActive: true, isMember: true })
      if (!(await sent(scim.patch(`/Users/${id}`, operations({ op: 'Replace', path: 'active', value: 'False' }))))) return
      users.set(id, { isActive: false, isMember: true })
    }
  }
  await Promise.all(Array.from({ length: 6 }, stream))
}
