import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { advisoryLocks } from '../../src/platform/database/locks-and-channels.ts'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { SignedInUser } from '../support/given.ts'
import { headerOf, TestApplication } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { startTestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { TestClock } from '../support/test-clock.ts'
import { createEndpoint } from '../support/webhooks.ts'

const receiver = await useReceiver()
const account = { email: 'owner@acme.test', password: 'correct horse battery' }
const aKey = () => randomBytes(32).toString('base64')

describe('an installation whose SECRET_KEY changes', () => {
  it('continues to read all secrets, also without the former key once all are re-encrypted', async () => {
    const [oldKey, newKey] = [aKey(), aKey()]
    const home = await processHome()
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ca-'))
    onTestFinished(async () => {
      await Promise.all([home.remove(), rm(folder, { recursive: true, force: true })])
    })
    await writeFile(join(folder, 'ca.pem'), receiver.ca)
    const environment = {
      ...home.environment,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      BOOTSTRAP_OWNER_PASSWORD: account.password,
      RATE_LIMIT: 'off',
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    }
    const start = async (keys: Record<string, string>) => {
      const program = await (await ServiceProcess.start({ ...environment, ...keys })).ready()
      onTestFinished(() => program.end('SIGKILL').then(() => {}))
      return program
    }
    const signIn = async ({ origin, anonymous }: ServiceProcess) => {
      const login = await anonymous.post('/v1/auth/login', account)
      expect(login).toMatchObject({ status: 200, body: { status: 'authenticated' } })
      return new SignedInUser(origin, login, account)
    }

    const first = await start({ SECRET_KEY: oldKey })
    const owner = await signIn(first)
    const { body: organisation } = await owner.get('/v1/admin/organisation')
    const { body: client } = await owner.post('/v1/admin/clients', {
      name: 'Portal',
      clientType: 'confidential',
      redirectUris: ['https://portal.example.test/callback'],
    })
    const applicationAt = (program: ServiceProcess, by: SignedInUser) =>
      new TestApplication(program.anonymous, { ...organisation, owner: by }, client)
    const tokens = await applicationAt(first, owner).signIn({ scope: 'openid offline_access' })
    const hook = receiver.hook()
    const endpoint = await createEndpoint(owner, { url: hook.url, events: ['role.created'] })
    const { authenticator, backupCodes } = await enrolAuthenticator(owner, new TestClock())
    expect(await first.end()).toBe(0)

    /** Uses every kind of secret that is stored encrypted. */
    const expectEverythingToWork = async (program: ServiceProcess, refreshToken: string, round: number): Promise<string> => {
      const login = await program.anonymous.post('/v1/auth/login', account)
      expect(login.body).toMatchObject({ status: 'mfa_required' })
      const completed = await program.anonymous.post('/v1/auth/login/mfa', {
        mfaToken: login.body.mfaToken,
        code: backupCodes[round],
      })
      expect(completed).toMatchObject({ status: 200 })
      const again = new SignedInUser(program.origin, completed, account)

      expect((await again.post('/v1/me/mfa/check', { token: authenticator.code(1) })).body).toEqual({ valid: true })

      const application = applicationAt(program, again)
      expect((await application.introspect(tokens.access_token)).body.active).toBe(true)
      const refreshed = await application.refresh(refreshToken)
      expect(refreshed).toMatchObject({ status: 200 })
      expect(headerOf(refreshed.body.access_token).kid).toBe(headerOf(tokens.access_token).kid)

      expect(await again.post('/v1/admin/roles', { name: `Round ${round}`, slug: `round-${round}` })).toMatchObject({ status: 201 })
      const { headers, body } = await hook.request(round)
      expect(headers['x-svc-signature']).toBe(createHmac('sha256', endpoint.secret).update(body).digest('hex'))
      return refreshed.body.refresh_token
    }

    const during = await start({ SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey })
    const next = await expectEverythingToWork(during, tokens.refresh_token, 1)
    await during.printed(/secrets have been encrypted anew/)
    expect(await during.end()).toBe(0)

    const after = await start({ SECRET_KEY: newKey })
    await expectEverythingToWork(after, next, 2)
    expect(await after.end()).toBe(0)
  })
})

describe.runIf(databaseKind() === 'postgres')('a service that is not connected when a command takes the database for itself', () => {
  it('writes nothing more, also once the command has ended', async () => {
    const databaseUrl = await freshPostgresUrl()
    const service = await startTestService({ engine: openPostgres(databaseUrl, { poolSize: 5 }) })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const receives = receiver.hook()
    const create = async () => (await owner.post('/v1/admin/webhooks', { url: receives.url, events: ['role.created'] })).status
    expect(await create()).toBe(201)

    const command = openPostgres(databaseUrl, { poolSize: 2, takesRoles: false })
    onTestFinished(() => command.close())
    await command.transaction(async (transaction) => {
      const taken = transaction.execute({ sql: `select pg_advisory_xact_lock(${advisoryLocks.service})`, parameters: [] })
      const ofDatabase = `(select oid from pg_database where datname = current_database())`
      const waiting = `select pid from pg_locks where locktype = 'advisory' and not granted and database = ${ofDatabase}`
      await expect.poll(() => onServer(databaseUrl, waiting)).toHaveLength(1)
      const ofListener = `datname = current_database() and application_name = 'gatehouse listen'`
      await onServer(databaseUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${ofListener}`)
      await taken
      await expect.poll(create).toBe(503)
      expect(await service.anonymous.get('/readyz')).toMatchObject({ status: 503 })
    })

    expect(await create()).toBe(503)
    expect(service.logLines.join('')).toMatch(/"reason":"While the connection to the database was lost, a command has taken the database/)
  })
})
