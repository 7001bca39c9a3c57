import { describe, expect, it, onTestFinished } from 'vitest'
import { freshEngine } from '../support/database.ts'
import { insertConnection, verifiedDomain } from '../support/domains.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService, useService } from '../support/service.ts'

const service = useService()
const movable = useService({ ofItsOwn: true })
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const uniqueKey = () => crypto.randomUUID()

describe('Idempotency-Key', () => {
  it('gives the first answer again to the same request, and changes nothing twice', async () => {
    const { owner } = await service().given.organisation()
    const key = uniqueKey()
    const first = await owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed(key))
    expect(first).toMatchObject({ status: 201, body: { name: 'Editor' } })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed(key))
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await owner.audit({ targetId: first.body.id })).toHaveLength(1)
  })

  it('gives the version of the record again with the answer', async () => {
    const { owner } = await service().given.organisation()
    const role = await service().given.role(owner)
    const rename = () => owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Editor' }, again)
    const again = keyed(uniqueKey())
    const first = await rename()
    expect([first.status, first.headers.get('etag')]).toEqual([200, expect.any(String)])
    const second = await rename()
    expect([second.headers.get('idempotent-replayed'), second.headers.get('etag')]).toEqual(['true', first.headers.get('etag')])
  })

  it('gives a secret that is shown once again, and stores no answer in clear text', async () => {
    const { owner } = await service().given.organisation()
    const key = uniqueKey()
    const create = () => owner.post('/v1/admin/api-keys', { name: 'Deployment', permissions: ['users:read'] }, keyed(key))
    const first = await create()
    expect(first.body.key).toEqual(expect.any(String))
    expect((await create()).body).toEqual(first.body)
    const rows = await service().database.system().selectFrom('idempotentAnswers').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(first.body.key)
  })

  it('is refused with another body, another address or another method', async () => {
    const { owner } = await service().given.organisation()
    const key = uniqueKey()
    const { body: role } = await owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed(key))
    for (const other of [
      await owner.post('/v1/admin/roles', { name: 'Reader', slug: 'reader' }, keyed(key)),
      await owner.post('/v1/admin/teams', { name: 'Editor', slug: 'editor' }, keyed(key)),
      await owner.patch(`/v1/admin/roles/${role.id}`, { name: 'Editor', slug: 'editor' }, keyed(key)),
    ]) {
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } })
    }
  })

  it('is refused at another record that would be changed alike', async () => {
    const { owner } = await service().given.organisation()
    const key = uniqueKey()
    const [one, other] = [await service().given.role(owner), await service().given.role(owner)]
    const change = { description: 'Edits articles' }
    expect(await owner.patch(`/v1/admin/roles/${one.id}`, change, keyed(key))).toMatchObject({ status: 200, body: { id: one.id } })

    expect(await owner.patch(`/v1/admin/roles/${other.id}`, change, keyed(key))).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    })
    expect((await owner.get(`/v1/admin/roles/${other.id}`)).body.description).not.toBe(change.description)
  })

  it('belongs to its caller: that of another user, an API key or the operator is another one', async () => {
    const { given, operator } = service()
    const { owner, id } = await given.organisation()
    const { owner: stranger } = await given.organisation()
    const key = uniqueKey()
    const { body: apiKey } = await owner.post('/v1/admin/api-keys', { name: 'Roles', permissions: ['roles:create'] })
    const { anonymous } = service()
    const callers = [owner, stranger, anonymous.with({ authorization: `Bearer ${apiKey.key}` })]
    const answers = await Promise.all(
      callers.map((caller, index) => caller.post('/v1/admin/roles', { name: `Role ${index}`, slug: `role-${index}` }, keyed(key))),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Unpaid' }, keyed(key))).toMatchObject({ status: 200 })
  })

  it('is not spent by a refusal, which has changed nothing', async () => {
    const { owner } = await service().given.organisation()
    const { body: taken } = await owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' })
    const key = uniqueKey()
    const create = () => owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed(key))
    expect(await create()).toMatchObject({ status: 409 })
    await owner.delete(`/v1/admin/roles/${taken.id}`)
    expect(await create()).toMatchObject({ status: 201 })
  })

  it('is forgotten after 24 hours', async () => {
    const own = movable()
    const { owner } = await own.given.organisation()
    const key = uniqueKey()
    const create = async (name: string) => (await own.given.signIn(owner.email)).post('/v1/admin/teams', { name, slug: 'team' }, keyed(key))
    expect(await create('One')).toMatchObject({ status: 201 })
    own.clock.advance({ hours: 23.9 })
    expect(await create('Two')).toMatchObject({ status: 422 })
    own.clock.advance({ minutes: 10 })
    expect(await create('Two')).toMatchObject({ status: 409, body: { field: 'slug' } })
  })

  it.each([
    ['empty', ''],
    ['of more than 255 characters', 'k'.repeat(256)],
    ['with a space', 'two words'],
  ])('is refused when it is %s', async (_, key) => {
    const { owner } = await service().given.organisation()
    expect(await owner.post('/v1/admin/roles', { name: 'Editor', slug: 'editor' }, keyed(key))).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['Idempotency-Key'], reason: 'idempotency-key-invalid' }] },
    })
  })

  it('makes one record of twenty requests at once; each gets the one answer, or is told to wait', async () => {
    const { owner } = await service().given.organisation()
    const key = uniqueKey()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/v1/admin/teams', { name: 'One', slug: 'one' }, keyed(key))),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 201)) {
      expect({ status, code: body.code, retryAfter: headers.get('retry-after') }).toEqual({
        status: 409,
        code: 'idempotency-key-in-use',
        retryAfter: '1',
      })
    }
    const { body: teams } = await owner.get('/v1/admin/teams')
    expect(teams.data).toHaveLength(1)
    expect(await owner.post('/v1/admin/teams', { name: 'One', slug: 'one' }, keyed(key))).toMatchObject({
      status: 201,
      body: made[0]?.body,
    })
  })

  it('is taken by the operator', async () => {
    const { given, operator } = service()
    const { id } = await given.organisation()
    const key = uniqueKey()
    const suspend = () => operator.patch(`/v1/system/organisations/${id}/suspend`, { reason: 'Unpaid' }, keyed(key))
    const first = await suspend()
    expect(first).toMatchObject({ status: 200, body: { status: 'suspended' } })
    expect(await operator.patch(`/v1/system/organisations/${id}/activate`)).toMatchObject({ status: 200 })
    expect(await suspend()).toMatchObject({ status: 200, body: first.body })
    expect((await operator.get(`/v1/system/organisations/${id}`)).body).toMatchObject({ status: 'active' })
  })

  it('stores nothing for a request without it', async () => {
    const { owner } = await service().given.organisation()
    await owner.post('/v1/admin/teams', { name: 'One', slug: 'one' })
    const rows = await service().database.system().selectFrom('idempotentAnswers').select('id').execute()
    const before = rows.length
    await owner.post('/v1/admin/teams', { name: 'Two', slug: 'two' })
    expect(await service().database.system().selectFrom('idempotentAnswers').select('id').execute()).toHaveLength(before)
  })
})

describe('what a process remembers of a change with an Idempotency-Key', () => {
  /** A domain that is about to require single sign-on, which each process remembers. */
  async function requiring() {
    const engine = recordingEngine(await freshEngine())
    const own = await startTestService({ engine })
    onTestFinished(() => own.stop())
    const { owner, id } = await own.given.organisation()
    const connectionId = await insertConnection(own, id)
    const domain = await verifiedDomain(own, owner, { connectionId })
    await own.services.requiredSso.refresh()
    const require = () => owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'required' }, keyed(uniqueKey()))
    return { engine, require, requiredSso: own.services.requiredSso }
  }

  it('is not read before the change is committed', async () => {
    const { engine, require, requiredSso } = await requiring()
    const release = engine.holdBack('insert into "idempotent_answers"', { ofRequests: true, firstOnly: true })
    const answer = require()
    await release.reached
    release(new Error('connection terminated'))

    expect(await answer).toMatchObject({ status: 503 })
    expect(requiredSso.isAny).toBe(false)
    expect(await require()).toMatchObject({ status: 200 })
    expect(requiredSso.isAny).toBe(true)
  })

  it('does not refuse the change when it cannot be read', async () => {
    const { engine, require, requiredSso } = await requiring()
    const release = engine.holdBack("organisation_domains where status = 'verified' and sso = 'required'", {
      ofRequests: true,
      firstOnly: true,
    })
    const answer = require()
    await release.reached
    release(new Error('connection terminated'))

    expect(await answer).toMatchObject({ status: 200, body: { sso: 'required' } })
    // The notice of the change has it read again.
    await expect.poll(() => requiredSso.isAny).toBe(true)
  })
})
