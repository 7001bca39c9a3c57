import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refreshDocuments } from '../../src/connections/federation/refresh-documents.ts'
import { connect, signInBy, workingStatus } from '../support/federation.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { useService } from '../support/service.ts'

const service = useService({ ofItsOwn: true })

let provider: IdentityProvider & { close(): Promise<void> }
let usual: IdentityProvider['behaviour']
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
  usual = { ...provider.behaviour }
  // Only the tests run it.
  const { database } = service()
  const row = { name: 'refresh-documents-of-connections', nextRunAt: sql<Date>`'infinity'` }
  const later = { nextRunAt: row.nextRunAt }
  await database
    .system()
    .insertInto('tasks')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(later))
    .execute()
})
afterAll(() => provider.close())
beforeEach(() => {
  Object.assign(provider.behaviour, usual)
  provider.requests.length = 0
})

const run = () => refreshDocuments(service().services).run(service().database)
const connected = async (changes: Parameters<typeof connect>[3] = {}, issuer = provider.issuer) => {
  const organisation = await service().given.organisation()
  const id = await connect(service(), organisation, { issuer }, changes)
  // The session of before has ended by then.
  const signedIn = () => service().given.signIn(organisation.owner.email)
  const status = async () => (await (await signedIn()).get(`/v1/admin/connections/${id}`)).body.status
  const entries = async () => (await (await signedIn()).get('/v1/admin/audit-logs?action=connection.failing')).body.data
  return { ...organisation, connectionId: id, status, entries }
}
const halfADayLater = () => service().clock.advance({ hours: 12, seconds: 1 })
const discoveries = () => provider.requests.filter((path) => path === '/.well-known/openid-configuration').length

describe('the documents of connections', () => {
  it('are read every twelve hours, of those that are active', async () => {
    await connected()
    await connected({ isActive: false })
    await connected({ provider: 'github', type: 'oauth2' })
    await run()
    expect(provider.requests).toEqual([])
    halfADayLater()
    expect(await run()).toBe(false)
    expect(provider.requests).toEqual(['/.well-known/openid-configuration', '/jwks'])
    service().clock.advance({ hours: 11 })
    await run()
    expect(discoveries()).toBe(1)
    service().clock.advance({ hours: 1, seconds: 1 })
    await run()
    expect(discoveries()).toBe(2)
  })

  it('that cannot be read are tried hourly, count as failures, and end the failing once they can be', async () => {
    const { status, entries, slug } = await connected()
    halfADayLater()
    provider.behaviour.intercept = () => new Response('', { status: 503 })
    for (let hour = 0; hour < 4; hour++) {
      await run()
      service().clock.advance({ hours: 1, seconds: 1 })
    }
    expect(await status()).toMatchObject({ state: 'failing', error: expect.stringContaining('status 503') })
    expect(await entries()).toHaveLength(1)
    expect((await service().mailbox.mailTo(`it@${slug}.test`, 'are failing')).text).toContain('Workforce')

    provider.behaviour.intercept = undefined
    await run()
    expect(await status()).toEqual(workingStatus)
  })

  it('say nothing of a failure of another kind', async () => {
    const { id, connectionId, status } = await connected()
    const failing = { failures: 3, failingSince: service().clock.now(), lastError: 'wrong secret', failedCheck: 'token endpoint' }
    await service().database.tenant(id).updateTable('connections').set(failing).where('id', '=', connectionId).execute()
    halfADayLater()
    await run()
    expect(await status()).toMatchObject({ state: 'failing', error: 'wrong secret' })
  })

  it('of a dead provider hold up no other', async () => {
    const dead = await connected({}, 'http://127.0.0.1:9')
    const { status } = await connected()
    halfADayLater()
    await run()
    expect(await dead.status()).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') })
    expect(await status()).toMatchObject({ error: null })
    expect(discoveries()).toBeGreaterThan(0)
  })

  it('are shared with those who read them, and with no request that carries a code or a secret', async () => {
    const now = () => service().clock.now()
    const [read, other] = [await listeningProvider({ now }), await listeningProvider({ now })]
    const reader = await connected({}, read.issuer)
    // A tenant whose provider says that codes are exchanged at the address of the documents of another's.
    other.behaviour.metadata = (metadata) => ({ ...metadata, token_endpoint: `${read.issuer}/.well-known/openid-configuration` })
    const planting = await connected({}, other.issuer)
    const methods: string[] = []
    read.behaviour.intercept = (path, { method }) => {
      if (path === '/.well-known/openid-configuration') methods.push(method)
      return undefined
    }
    await signInBy(service(), read, reader.connectionId)
    expect(methods).toEqual(['GET'])

    expect((await signInBy(service(), other, planting.connectionId)).status).toBe(400)
    expect(methods).toEqual(['GET', 'POST'])

    read.behaviour.user = { sub: 'no user yet' }
    expect(await signInBy(service(), read, reader.connectionId)).toMatchObject({ status: 403 })
    expect(methods).toEqual(['GET', 'POST'])
    await Promise.all([read.close(), other.close()])
  })
})
