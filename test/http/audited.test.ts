import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'
import { unequalRows } from '../support/sources.ts'
import { type DescribedRoute, describedRoutes } from './described.ts'
import { mutations } from './mutations.ts'
import { password, worldOf } from './world.ts'

const service = useService({ ofItsOwn: true, environment: { OAUTH_EXTENSIONS: 'federated_credentials,backchannel_logout' } })
const secrets = new Set([password, 'another horse battery'])

let routes: DescribedRoute[]
beforeAll(async () => {
  routes = await describedRoutes(service().anonymous)
})

/** The entries of this test. Nothing else happens meanwhile. */
const entriesSince = (since: Date) =>
  service().database.system().selectFrom('auditLogs').selectAll().where('createdAt', '>=', since).orderBy('id').execute()

describe('every change made through the API', () => {
  it('has a row in test/http/mutations.ts with a request that succeeds', async () => {
    const changing = routes.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1/')).map(({ name }) => name)

    expect(changing.filter((name) => !mutations[name])).toEqual([])
  })

  it.each(Object.entries(mutations))('writes an audit entry in the same transaction: %s', async (name, { request, leaves }) => {
    if (!routes.some((route) => route.name === name)) return
    const arranged = await worldOf(service())
    const { path, body, by = arranged.owner } = await request(arranged)
    const start = service().clock.now()
    const before = new Set((await entriesSince(start)).map(({ id }) => id))

    const answer = await by.request(name.split(' ')[0] as string, path, { body })

    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    noteSecrets(body)
    noteSecrets(answer.body)
    noteSecrets(by.headers)
    const leftBehind = async () => (await entriesSince(start)).filter(({ id }) => !before.has(id))
    const actions = async () => (await leftBehind()).map(({ action }) => action)
    // Requests of strangers are handled after the response, which must not reveal whether there was anything to do.
    if (answer.status === 202) await service().settled()
    if (leaves === undefined) expect(await actions()).toEqual([])
    else expect(await actions()).toContain(leaves)
    expect(await unequalRows(service().database.system())).toEqual([])
    const left = await leftBehind()
    const erased = new Set(left.filter(({ action }) => action === 'user.erased').map(({ targetId }) => targetId))
    for (const entry of left) {
      // The only entry that must not name its target.
      if (erased.has(entry.targetId)) continue
      if (/\.(updated|blocked|suspended|activated|ownership_transferred)$/.test(entry.action))
        expect([entry.action, Object.keys(entry.changes ?? {})]).not.toEqual([entry.action, []])
      const side = sideOfWhole(entry.action)
      if (!side || entry.metadata?.resent) continue
      // The name, or its replacement, identifies the record after its deletion.
      const { name, email, slug, url, domain } = entry.changes ?? {}
      expect([entry.action, name ?? email ?? slug ?? url ?? domain]).toEqual([
        entry.action,
        { from: null, to: null, [side]: expect.any(String) },
      ])
      for (const { from, to } of Object.values(entry.changes ?? {})) expect(side === 'to' ? from : to).toBeNull()
      for (const field of ['id', 'updatedAt']) expect(entry.changes).not.toHaveProperty(field)
    }
  })

  const ownerOnly = new Set(['DELETE /v1/admin/organisation', 'POST /v1/admin/organisation/transfer-ownership'])

  it.each(Object.entries(mutations).filter(([name, { leaves }]) => name.includes('/v1/admin/') && leaves !== undefined))(
    'is possible with an API key, which is the actor of the entry, unless it requires the owner: %s',
    async (name, { request }) => {
      if (!routes.some((route) => route.name === name)) return
      const start = service().clock.now()
      const arranged = await worldOf(service())
      const { path, body } = await request(arranged)
      const { data } = (await arranged.owner.get('/v1/admin/permissions')).body
      const permissions = data.map(({ slug }: { slug: string }) => slug)
      const { id, key } = (await arranged.owner.post('/v1/admin/api-keys', { name: 'Everything', permissions })).body

      const answer = await arranged.anonymous.request(name.split(' ')[0] as string, path, {
        body,
        headers: { authorization: `Bearer ${key}` },
      })

      if (ownerOnly.has(name)) return expect(answer.status).toBe(403)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      const left = (await entriesSince(start)).filter(({ actorId }) => actorId === id)
      expect(left.map(({ actorType }) => actorType)).toContain('api_key')
      secrets.add(key)
    },
  )

  it('writes no secret into audit entries, webhook deliveries or logs', async () => {
    const { rows } = await sql<{ text: string }>`
      select row_to_json(audit_logs)::text as text from audit_logs union all select body from webhook_deliveries`.execute(
      service().database.system(),
    )
    const bodies = await service().database.system().selectFrom('webhookDeliveries').select('body').execute()
    // What changed is for the audit log: receivers get the object as it is.
    expect(bodies.filter(({ body }) => 'changes' in JSON.parse(body).data)).toEqual([])
    const written = [...rows.map(({ text }) => text), ...service().logLines]

    expect(written.length).toBeGreaterThan(100)
    expect(secrets.size).toBeGreaterThan(50)
    for (const secret of secrets) expect(written.filter((text) => text.includes(secret))).toEqual([])
  })
})

const secretField =
  /^(password|newPassword|currentPassword|token|mfaToken|code|secret|clientSecret|key|backupCodes|csrfToken|cookie|authorization|x-csrf-token)$/

/** The side of its changes that an entry has when a record was created or deleted. */
function sideOfWhole(action: string): 'from' | 'to' | undefined {
  if (/\.created$|^invitation\.sent$/.test(action)) return 'to'
  return /\.deleted$|^invitation\.cancelled$/.test(action) && action !== 'organisation.deleted' ? 'from' : undefined
}

/** Collects the values of all fields that hold secrets, at any depth. */
function noteSecrets(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  for (const [field, inner] of Object.entries(value)) {
    const texts = [inner].flat().filter((text) => typeof text === 'string')
    // Codes of six digits could stand in any number.
    if (secretField.test(field)) for (const text of texts) if (text.length > 8) secrets.add(text.replace(/^(svc_session=|Bearer )/, ''))
    noteSecrets(inner)
  }
}
