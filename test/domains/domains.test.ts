import { describe, expect, it } from 'vitest'
import { lockDomainsOfConnection, verifiedDomainsOf } from '../../src/domains/queries.ts'
import { enrolAuthenticator } from '../support/authenticator.ts'
import { addDomain, insertConnection, publish, uniqueDomain, verifiedDomain } from '../support/domains.ts'
import type { HttpClient } from '../support/http-client.ts'
import { useService } from '../support/service.ts'

const service = useService()

const auditOf = async (owner: HttpClient) => {
  return (await owner.audit()).map(({ action }) => action).filter((action) => action.startsWith('domain.'))
}

/** As long as there is room for the name of its record. */
const longest = `${'a'.repeat(57)}.${'b.'.repeat(88)}cexample`

describe('a domain', () => {
  it('is added with the record that would prove it, and read back', async () => {
    const { owner } = await service().given.organisation()
    const domain = uniqueDomain()

    const { status, body } = await owner.post('/v1/admin/domains', { domain: domain.toUpperCase() })

    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^dom_\w{26}$/),
        domain,
        unicodeDomain: domain,
        status: 'pending',
        challenge: { type: 'TXT', name: `_gatehouse.${domain}`, value: expect.stringMatching(/^gatehouse-domain=[\w-]{43}$/) },
        connectionId: null,
        sso: 'off',
        bypassUserIds: [],
        verifiedAt: null,
        checkedAt: null,
        failingSince: null,
        foreignAccounts: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect((await owner.get('/v1/admin/domains')).body).toEqual({ data: [body], total: 1 })
    expect(await auditOf(owner)).toEqual(['domain.created'])
  })

  it('is assigned to a connection only by who has every permission that a user other than the owner holds', async () => {
    const own = await service().given.organisation()
    const caller = await service().given.userWith(own.owner, ['domains:read', 'domains:update'])
    await service().given.userWith(own.owner, ['audit:read'])
    const connectionId = await insertConnection(service(), own.id)
    const refused = { status: 403, body: { detail: 'Cannot grant a permission you do not have: audit:read' } }
    const added = await addDomain(caller, { domain: uniqueDomain() })

    expect(await caller.post('/v1/admin/domains', { domain: uniqueDomain(), connectionId })).toMatchObject(refused)
    expect(await caller.patch(`/v1/admin/domains/${added.id}`, { connectionId })).toMatchObject(refused)
    expect((await caller.get('/v1/admin/domains')).body).toMatchObject({ data: [{ connectionId: null }], total: 1 })

    expect(await own.owner.patch(`/v1/admin/domains/${added.id}`, { connectionId })).toMatchObject({ status: 200, body: { connectionId } })
    // What it means for the users stays with those who may change domains.
    expect(await caller.patch(`/v1/admin/domains/${added.id}`, { sso: 'offered' })).toMatchObject({ status: 200 })
  })

  it.each([
    ['bücher.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example', 'bücher.example'],
    ['XN--bcher-KVA.Example', 'xn--bcher-kva.example', 'bücher.example'],
    ['faß.example', 'xn--fa-hia.example', 'faß.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah', '例え.テスト'],
    [longest, longest, longest],
  ])('%s is stored as the DNS has it, with its other letters beside', async (domain, stored, unicodeDomain) => {
    const { owner } = await service().given.organisation()
    const { challenge, ...added } = await addDomain(owner, { domain })
    expect(added).toMatchObject({ domain: stored, unicodeDomain })
    expect(challenge.name).toBe(`_gatehouse.${stored}`)
    expect(challenge.name.length).toBeLessThanOrEqual(253)
  })

  it.each([
    '',
    'example',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '2130706433',
    'a_b.example',
    'a b.example',
    'https://a.example',
    'a@b.example',
    '-a.example',
    'a..example',
    '*.a.example',
    'xn--.example',
    'xn--a.example',
    'xn--example.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(125)}example`,
    `a${longest}`,
    // What a parser of addresses would cut off or decode.
    'a.example.',
    'a.example/path',
    'a.example?query',
    'a.example#part',
    'a.example:443',
    'a\\.example',
    'a%2eexample',
    'ex%61mple.example',
    ' a.example',
    'a.example ',
    '0x7f.1',
    // What UTS 46 would map to another name, or to nothing.
    'ａ.example',
    'a。example',
    'a\u00ad.example',
    'a\u200b.example',
    'a\ufe0f.example',
    'BÜCHER.example',
    'bu\u0308cher.example',
    '\u212a.example',
    'a①.example',
    '\u2024.example',
  ])('"%s" is none', async (domain) => {
    const { owner } = await service().given.organisation()
    expect(await owner.post('/v1/admin/domains', { domain })).toMatchObject({ status: 400, body: { errors: [{ path: ['domain'] }] } })
    expect((await owner.get('/v1/admin/domains')).body.total).toBe(0)
  })

  it.each(['co.uk', 'github.io', 'xn--55qx5d.cn', '公司.cn'])('may not be the public suffix %s', async (domain) => {
    const { owner } = await service().given.organisation()
    const answer = await owner.post('/v1/admin/domains', { domain })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: ['domain'], reason: 'public-suffix' }] } })
  })

  it('is added once by an organisation, and by any number of organisations until one proves it', async () => {
    const [{ owner }, { owner: other }] = [await service().given.organisation(), await service().given.organisation()]
    const { domain } = await addDomain(owner)

    expect(await owner.post('/v1/admin/domains', { domain })).toMatchObject({ status: 409, body: { code: 'domain-taken' } })
    expect(await addDomain(other, { domain })).toMatchObject({ domain, status: 'pending' })
  })

  it('is one of at most a hundred', async () => {
    const { owner, id } = await service().given.organisation()
    const tenant = service().database.tenant(id)
    const times = { createdAt: tenant.now, updatedAt: tenant.now }
    const rows = Array.from({ length: 100 }, (_, n) => ({ id: `dom_${id}_${n}`, domain: `n${n}.example`, challenge: 'c', ...times }))
    await tenant.insertInto('organisationDomains').values(rows).execute()

    expect(await owner.post('/v1/admin/domains', { domain: uniqueDomain() })).toMatchObject({
      status: 400,
      body: { code: 'too-many-domains' },
    })
    const first = await owner.get('/v1/admin/domains?limit=60')
    const second = await owner.get(`/v1/admin/domains?limit=60&cursor=${first.body.nextCursor}`)
    expect([first.body.data.length, second.body.data.length, second.body.nextCursor, second.body.total]).toEqual([60, 40, null, 100])
  })

  it('needs the permissions for domains', async () => {
    const { owner } = await service().given.organisation()
    const { id } = await addDomain(owner)
    const reader = await service().given.userWith(owner, ['domains:read'])
    const changer = await service().given.userWith(owner, ['domains:update'])

    expect(await reader.get('/v1/admin/domains')).toMatchObject({ status: 200 })
    expect(await reader.post('/v1/admin/domains', { domain: uniqueDomain() })).toMatchObject({ status: 403 })
    for (const answer of [
      reader.patch(`/v1/admin/domains/${id}`, {}),
      reader.post(`/v1/admin/domains/${id}/verify`),
      changer.get('/v1/admin/domains'),
    ])
      expect(await answer).toMatchObject({ status: 403 })
    expect(await changer.delete(`/v1/admin/domains/${id}`)).toMatchObject({ status: 204 })
  })

  it('takes every permission of other users to remove while it requires single sign-on, as it takes to require it no longer', async () => {
    const { owner, id: organisationId } = await service().given.organisation()
    const connectionId = await insertConnection(service(), organisationId)
    const { id } = await verifiedDomain(service(), owner)
    expect(await owner.patch(`/v1/admin/domains/${id}`, { connectionId, sso: 'required' })).toMatchObject({ status: 200 })
    await service().given.userWith(owner, ['webhooks:delete'])
    const changer = await service().given.userWith(owner, ['domains:update'])
    const refused = { status: 403, body: { detail: 'Cannot grant a permission you do not have: webhooks:delete' } }

    expect(await changer.patch(`/v1/admin/domains/${id}`, { sso: 'offered' })).toMatchObject(refused)
    expect(await changer.delete(`/v1/admin/domains/${id}`)).toMatchObject(refused)
    expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ id, sso: 'required' }])
    expect(await owner.delete(`/v1/admin/domains/${id}`)).toMatchObject({ status: 204 })
  })

  it('is removed, with its proof', async () => {
    const { owner } = await service().given.organisation()
    const { owner: other } = await service().given.organisation()
    const domain = await verifiedDomain(service(), owner)

    expect(await owner.delete(`/v1/admin/domains/${domain.id}`)).toMatchObject({ status: 204 })
    expect(await owner.delete(`/v1/admin/domains/${domain.id}`)).toMatchObject({ status: 404 })
    expect((await owner.get('/v1/admin/domains')).body.total).toBe(0)
    expect(await auditOf(owner)).toEqual(['domain.deleted', 'domain.verified', 'domain.created'])
    expect(await verifiedDomain(service(), other, { domain: domain.domain })).toMatchObject({ status: 'verified' })
  })
})

describe('the connection of a domain', () => {
  it('is one of the same organisation', async () => {
    const { owner, id } = await service().given.organisation()
    const foreign = await service().given.organisation()
    const [own, other] = [await insertConnection(service(), id), await insertConnection(service(), foreign.id)]
    const refused = { status: 404, body: { code: 'connection-not-found' } }

    expect(await owner.post('/v1/admin/domains', { domain: uniqueDomain(), connectionId: other })).toMatchObject(refused)
    const domain = await addDomain(owner, { connectionId: own, sso: 'offered' })
    expect(domain).toMatchObject({ connectionId: own, sso: 'offered' })
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { connectionId: other })).toMatchObject(refused)
    expect((await owner.get('/v1/admin/domains')).body.data).toEqual([domain])
  })

  it('is what single sign-on needs', async () => {
    const { owner, id } = await service().given.organisation()
    const connectionId = await insertConnection(service(), id)
    const refused = { status: 400, body: { errors: [{ path: ['sso'], reason: 'sso-needs-connection' }] } }

    expect(await owner.post('/v1/admin/domains', { domain: uniqueDomain(), sso: 'required' })).toMatchObject(refused)
    const domain = await verifiedDomain(service(), owner)
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'offered' })).toMatchObject(refused)
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'offered', connectionId })).toMatchObject({
      status: 200,
      body: { sso: 'offered', connectionId },
    })
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { connectionId: null })).toMatchObject(refused)
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { connectionId: null, sso: 'off' })).toMatchObject({ status: 200 })
  })

  it('takes single sign-on along when it is deleted', async () => {
    const { owner, id } = await service().given.organisation()
    const connectionId = await insertConnection(service(), id)
    const domain = await verifiedDomain(service(), owner, { connectionId, sso: 'offered' })
    const pending = await addDomain(owner, { connectionId })
    const tenant = service().database.tenant(id)
    expect((await verifiedDomainsOf(tenant)).map((one) => one.id)).toEqual([domain.id])
    expect((await lockDomainsOfConnection(tenant, connectionId)).map((one) => one.id).toSorted()).toEqual(
      [domain.id, pending.id].toSorted(),
    )
    expect(await owner.delete(`/v1/admin/domains/${pending.id}`)).toMatchObject({ status: 204 })
    await service().database.tenant(id).deleteFrom('connections').where('id', '=', connectionId).execute()

    expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ id: domain.id, connectionId: null, sso: 'off' }])
    const another = await insertConnection(service(), id)
    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { connectionId: another })).toMatchObject({ body: { sso: 'off' } })
  })
})

describe('users who may go past the connection', () => {
  it('are users of the organisation with a second factor, and at most five', async () => {
    const { owner } = await service().given.organisation()
    const { owner: foreign } = await service().given.organisation()
    const { id } = await addDomain(owner)
    const withFactor = await service().given.userWith(owner, [])
    await enrolAuthenticator(withFactor, service().clock)
    const without = await service().given.user(owner)
    const path = `/v1/admin/domains/${id}`
    const owners = foreign.id

    expect(await owner.patch(path, { bypassUserIds: [withFactor.id, without.id, owners, 'usr_none'] })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: ['bypassUserIds', 1], reason: 'bypass-without-mfa' },
          { path: ['bypassUserIds', 2], reason: 'user-not-found' },
          { path: ['bypassUserIds', 3], reason: 'user-not-found' },
        ],
      },
    })
    expect(await owner.patch(path, { bypassUserIds: Array(6).fill('usr_none') })).toMatchObject({ status: 400 })
    const bypassUserIds = [withFactor.id]
    expect(await owner.patch(path, { bypassUserIds })).toMatchObject({ status: 200, body: { bypassUserIds } })
    expect(await auditOf(owner)).toEqual(['domain.updated', 'domain.created'])
  })
})

describe('a change of a domain', () => {
  it('that changes nothing leaves nothing', async () => {
    const { owner } = await service().given.organisation()
    const domain = await addDomain(owner)
    publish(service(), domain)

    expect(await owner.patch(`/v1/admin/domains/${domain.id}`, { sso: 'off' })).toMatchObject({ status: 200, body: domain })
    expect(await auditOf(owner)).toEqual(['domain.created'])
  })

  it('ends sessions only where single sign-on is required and the domain proven', async () => {
    const { owner, id } = await service().given.organisation()
    const connectionId = await insertConnection(service(), id)
    const domain = await addDomain(owner, { connectionId })
    const path = `/v1/admin/domains/${domain.id}`
    const refused = { status: 400, body: { errors: [{ path: ['endSessions'], reason: 'sso-not-required' }] } }

    expect(await owner.patch(path, { sso: 'required', endSessions: true })).toMatchObject(refused)
    publish(service(), domain)
    await owner.post(`${path}/verify`)
    expect(await owner.patch(path, { sso: 'offered', endSessions: true })).toMatchObject(refused)
    expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ sso: 'off' }])
  })
})
