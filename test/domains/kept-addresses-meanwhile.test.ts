/** Domains that are verified, or imported, while accounts are made. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { insertUser } from '../../src/accounts/queries.ts'
import { systemActor } from '../../src/activity/actor.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { newId } from '../../src/platform/ids.ts'
import { importOrganisation } from '../../src/system/transfer/import-organisation.ts'
import { writeExport } from '../../src/system/transfer/write-export.ts'
import { databaseKind, freshEngine } from '../support/database.ts'
import { addDomain, insertConnection, publish, verifiedDomain } from '../support/domains.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

let keeper: TestOrganisation
let other: TestOrganisation
beforeAll(async () => {
  keeper = await service().given.organisation()
  other = await service().given.organisation()
})

const person = (email: string) => ({ email, firstName: 'Ada', lastName: 'Byron' })
const taken = { body: { detail: 'Email already registered', code: 'email-taken' } }

describe('an organisation that is imported with a verified domain', () => {
  /** A file with an organisation of another installation, whose domain requires single sign-on, and the installation to import it into. */
  async function moving() {
    const engine = recordingEngine(await freshEngine())
    const [from, here] = [await startTestService(), await startTestService({ engine })]
    onTestFinished(async () => void (await Promise.all([from.stop(), here.stop()])))
    const { id, owner } = await from.given.organisation()
    const connectionId = await insertConnection(from, id)
    const { domain } = await verifiedDomain(from, owner, { connectionId, sso: 'required' })
    await from.given.user(owner, { email: `ada@${domain}` })

    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-moving-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'organisation.jsonl')
    const issuer = 'http://gatehouse.test'
    const source = { ...from.services, publicUrl: issuer, issuer, release: '1.0.0' }
    await writeExport(source, id, { write: (line, number) => writeFile(file, line, { flag: number === 1 ? 'w' : 'a' }) })
    const trust = { issuer, keys: async () => (await from.anonymous.get('/oauth2/jwks.json')).body }
    const target = { ...here.services, publicUrl: issuer, relyingParty: {}, trialMaxUsers: 100, grants }
    const runImport = () => importOrganisation(target, file, { actor: systemActor, trust, ignoreTrialLimit: false })
    return { engine, here, domain, runImport }
  }

  it('requires single sign-on at the processes that run, as soon as it is there', async () => {
    const { here, domain, runImport } = await moving()
    const login = () => here.anonymous.post('/v1/auth/login', { email: `new-${unique()}@${domain}`, password: 'not the password' })
    await here.services.requiredSso.refresh()
    expect(await login()).toMatchObject({ status: 401 })

    expect(await runImport()).toMatchObject({ mistakes: [] })
    await expect.poll(async () => (await login()).status, { timeout: 20_000, interval: 500 }).toBe(403)
  })

  // Its history may take minutes to write.
  it.runIf(databaseKind() === 'postgres')('does not hold up the accounts of others while it is written', async () => {
    const { engine, here, domain, runImport } = await moving()
    const { owner } = await here.given.organisation()
    const release = engine.holdBack('insert into "audit_logs"', { ofRequests: false, firstOnly: true })
    onTestFinished(() => release())
    const importing = runImport()
    await Promise.race([release.reached, importing])

    const taken = "select from pg_locks where locktype = 'advisory' and classid = 7162 and mode = 'ExclusiveLock'"
    expect((await here.engine.execute({ sql: taken, parameters: [] })).rows).toEqual([])
    expect(await owner.post('/v1/admin/users', person(`before@${domain}`))).toMatchObject({ status: 201 })
    release()
    expect(await importing).toMatchObject({ mistakes: [], rows: { organisation_domains: 1 } })
    expect(await owner.post('/v1/admin/users', person(`after@${domain}`))).toMatchObject({ body: { code: 'email-taken' } })
  })
})

describe('a domain that is verified while an account is made', () => {
  /** The embedded database does one transaction after another. */
  const untilAny = (sql: string) =>
    vi.waitUntil(async () => databaseKind() !== 'postgres' || (await service().engine.execute({ sql, parameters: [] })).rows.length > 0, {
      timeout: 60_000,
    })
  const untilCreationWaits = () => untilAny("select from pg_locks where locktype = 'advisory' and classid = 7162 and not granted")
  /** It has locked the domain's row before. */
  const untilVerificationWaits = () =>
    untilAny(`select from pg_locks where relation = 'organisation_domains'::regclass and mode = 'RowShareLock'
      and database = (select oid from pg_database where datname = current_database())`)

  it('waits for the account, which then was there before', async () => {
    const added = await addDomain(keeper.owner)
    publish(service(), added)
    let verifying: Promise<unknown> | undefined
    await service().database.transaction(other.id, async (tenant) => {
      await insertUser(tenant, { id: newId('usr', tenant.now), ...person(`new-${unique()}@${added.domain}`), passwordHash: null })
      verifying = keeper.owner.post(`/v1/admin/domains/${added.id}/verify`)
      await untilVerificationWaits()
    })
    expect(await verifying).toMatchObject({ status: 200 })
  })

  it.runIf(databaseKind() === 'postgres')('is not verified while that takes its time, and holds up no other account', async () => {
    const added = await addDomain(keeper.owner)
    publish(service(), added)
    const verify = () => keeper.owner.post(`/v1/admin/domains/${added.id}/verify`)
    await service().database.transaction(other.id, async (tenant) => {
      await insertUser(tenant, { id: newId('usr', tenant.now), ...person(`new-${unique()}@${added.domain}`), passwordHash: null })
      const verifying = verify()
      await untilVerificationWaits()
      expect(await other.owner.post('/v1/admin/users', person(`more-${unique()}@${added.domain}`))).toMatchObject({ status: 201 })
      const refused = await verifying
      expect(refused).toMatchObject({ status: 503, body: { code: 'service-unavailable' } })
      expect(refused.headers.get('retry-after')).toBe('5')
    })
    expect(await verify()).toMatchObject({ status: 200 })
  })

  it('has the account wait, which is then refused', async () => {
    const { id, domain } = await addDomain(keeper.owner)
    let creating: Promise<unknown> | undefined
    await service().database.transaction(keeper.id, async (tenant) => {
      const verified = { status: 'verified', verifiedAt: tenant.now, checkedAt: tenant.now } as const
      await tenant.updateTable('organisationDomains').set(verified).where('id', '=', id).execute()
      creating = other.owner.post('/v1/admin/users', person(`new-${unique()}@${domain}`))
      await untilCreationWaits()
    })
    expect(await creating).toMatchObject(taken)
  })
})
