import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { followSetupLinks, removeOldSetupLinks } from '../../src/setup-links/follow-setup-links.ts'
import { directoryClient } from '../support/directories.ts'
import { uniqueDomain } from '../support/domains.ts'
import type { SignedInUser, TestOrganisation } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { useService } from '../support/service.ts'
import { createSetupLink, openLink, setupLinkOf } from '../support/setup-links.ts'

const service = useService({ ofItsOwn: true })
const path = '/v1/admin/setup-links'
const needed = ['connections:create', 'domains:update', 'directories:create']

/** A link whose creator is not the owner, opened in a browser. */
async function opened(fields: Record<string, unknown> = { purposes: ['domain', 'oidc', 'scim'] }) {
  const organisation = await service().given.organisation()
  const maker = await service().given.userWith(organisation.owner, needed)
  const link = await createSetupLink(maker, fields)
  return { organisation, maker, link, visitor: await openLink(service(), link) }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** What each step says to a visitor, and what was made. */
async function nextSteps({ visitor, organisation: { owner } }: Opened) {
  service().clock.advance({ minutes: 2 })
  const forms: [string, Record<string, string>][] = [
    ['/setup/domain', { action: 'add', domain: uniqueDomain() }],
    ['/setup/connection', { action: 'begin', provider: 'oidc' }],
    ['/setup/directory', { action: 'begin' }],
  ]
  const statuses: number[] = []
  for (const [page, fields] of forms) statuses.push((await visitor.submit(page, fields)).status)
  const lists = await Promise.all(
    ['domains', 'connections', 'directories'].map(async (list) => (await owner.get(`/v1/admin/${list}`)).body.total),
  )
  return { statuses, made: lists.reduce((sum, total) => sum + total, 0) }
}

const refused = { statuses: [400, 400, 400], made: 0 }
const actionsOf = async ({ owner }: Pick<TestOrganisation, 'owner'>, id: string) =>
  (await owner.get('/v1/admin/audit-logs?limit=1000')).body.data
    .filter(({ targetId }: { targetId: string }) => targetId === id)
    .map(({ action, metadata }: { action: string; metadata: { because?: string } | null }) => [action, metadata?.because])

const rolesOf = async (owner: SignedInUser, userId: string): Promise<{ id: string }[]> =>
  (await owner.get(`/v1/admin/users/${userId}`)).body.roles

const takeRolesFrom = async (owner: SignedInUser, userId: string) => {
  const roles = await rolesOf(owner, userId)
  for (const { id } of roles) expect((await owner.delete(`/v1/admin/users/${userId}/roles`, { roleId: id })).status).toBeLessThan(300)
}

/** What ends a link, by what it says then. */
const ends: Record<string, [because: string, end: (made: Opened) => Promise<unknown>]> = {
  'its creator is blocked': [
    'right_lost',
    ({ organisation: { owner }, maker }) => owner.patch(`/v1/admin/users/${maker.id}`, { blockedAt: '2026-01-01T00:00:00Z' }),
  ],
  'its creator is deleted': ['right_lost', ({ organisation: { owner }, maker }) => owner.delete(`/v1/admin/users/${maker.id}`)],
  'its creator loses a permission': ['right_lost', ({ organisation: { owner }, maker }) => takeRolesFrom(owner, maker.id)],
  'another user gets a permission that its creator lacks': [
    'right_lost',
    ({ organisation: { owner } }) => service().given.userWith(owner, ['webhooks:delete']),
  ],
  'an administrator ends it': ['deleted', ({ organisation: { owner }, link }) => owner.delete(`${path}/${link.id}`)],
}

describe('a set-up link ends for good when', () => {
  it.each(Object.entries(ends))('%s: the next step is refused', async (_, [because, end]) => {
    const made = await opened()
    const { organisation, link } = made
    await end(made)

    expect(await nextSteps(made)).toEqual(refused)
    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'ended', endedBecause: because })
    expect((await actionsOf(organisation, link.id))[0]).toEqual(['setup_link.ended', because])
    service().clock.advance({ minutes: 2 })
    expect((await new PageVisitor(service().origin).submit('/setup', { token: link.token })).status).toBe(400)
  })

  it('the organisation is suspended, and stays so when it is activated again', async () => {
    const made = await opened()
    const { organisation, link, visitor } = made
    const at = `/v1/system/organisations/${organisation.id}`
    await service().operator.patch(`${at}/suspend`, { reason: 'Payment' })
    expect((await visitor.open('/setup')).status).toBe(400)
    await service().operator.patch(`${at}/activate`)

    expect((await visitor.open('/setup')).status).toBe(400)
    const owner = await service().given.signIn(organisation.owner.email)
    expect(await setupLinkOf({ owner }, link.id)).toMatchObject({ state: 'ended', endedBecause: 'organisation_inactive' })
  })

  it('its time is over', async () => {
    const organisation = await service().given.organisation()
    const link = await createSetupLink(organisation.owner, { expiresInHours: 1 })
    const visitor = await openLink(service(), link)
    service().clock.advance({ minutes: 61 })

    expect((await visitor.open('/setup')).status).toBe(400)
    expect((await new PageVisitor(service().origin).submit('/setup', { token: link.token })).status).toBe(400)
    const owner = await service().given.signIn(organisation.owner.email)
    expect(await setupLinkOf({ owner }, link.id)).toMatchObject({ state: 'expired', endedBecause: 'expired' })
  })

  it('it is not used for two hours: then this browser has to open it again', async () => {
    const { visitor, link } = await opened()
    service().clock.advance({ minutes: 119 })
    expect((await visitor.open('/setup')).status).toBe(200)
    service().clock.advance({ minutes: 121 })
    expect((await visitor.open('/setup')).status).toBe(400)
    expect((await openLink(service(), link)).cookie).toContain('svc_setup')
  })

  it('its API key ends', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const { id, key } = (await owner.post('/v1/admin/api-keys', { name: 'Onboarding', permissions: ['domains:update'] })).body
    const link = await createSetupLink(service().anonymous.with({ authorization: `Bearer ${key}` }))
    const visitor = await openLink(service(), link)
    expect((await visitor.open('/setup')).status).toBe(200)
    await owner.delete(`/v1/admin/api-keys/${id}`)

    expect((await visitor.open('/setup')).status).toBe(400)
    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ endedBecause: 'right_lost' })
  })

  it('it is not opened meanwhile: a right that is given back does not bring it back', async () => {
    const made = await opened()
    const { organisation, maker, link, visitor } = made
    const roles = await rolesOf(organisation.owner, maker.id)
    await takeRolesFrom(organisation.owner, maker.id)
    await followSetupLinks(service().services).run(service().database)
    for (const { id } of roles) await organisation.owner.post(`/v1/admin/users/${maker.id}/roles`, { roleId: id })

    expect((await visitor.open('/setup')).status).toBe(400)
    expect((await actionsOf(organisation, link.id)).map(([action]: string[]) => action)).toEqual([
      'setup_link.ended',
      'setup_link.used',
      'setup_link.created',
    ])
  })

  it('it is one of more links than are judged at once: none is passed over', async () => {
    const { organisation, maker, link } = await opened({ purposes: ['domain'] })
    await sql`
      insert into setup_links (organisation_id, id, name, purposes, settings, activate, token_hash, created_by_id, expires_at, created_at)
      select organisation_id, id || 'z' || number, name, purposes, settings, activate, token_hash || number, created_by_id, expires_at, created_at
      from setup_links cross join generate_series(1, 205) as number where id = ${link.id}`.execute(service().database.system())
    await takeRolesFrom(organisation.owner, maker.id)
    await followSetupLinks(service().services).run(service().database)

    const { body } = await organisation.owner.get(path)
    expect(body.total).toBe(206)
    expect(body.data.filter(({ endedBecause }: { endedBecause: string | null }) => endedBecause !== 'right_lost')).toEqual([])
  })

  it('a step and its end come at once: what was made belongs to an open link', async () => {
    const made = await opened({ purposes: ['domain'] })
    const { organisation, link, visitor } = made
    const { formToken } = await visitor.open('/setup/domain')
    const step = fetch(`${service().origin}/setup/domain`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ formToken, action: 'add', domain: uniqueDomain() }),
    })
    const [{ status }, ended] = await Promise.all([step, organisation.owner.delete(`${path}/${link.id}`)])

    expect(ended.status).toBe(204)
    const { body } = await organisation.owner.get('/v1/admin/domains')
    expect(body.total).toBe(status === 303 ? 1 : 0)
    expect((await visitor.submit('/setup/domain', { action: 'drop' })).status).toBe(400)
  })
})

it('a set-up link of an organisation on trial does not end', async () => {
  const organisation = await service().given.organisation({ status: 'trial' })
  const link = await createSetupLink(organisation.owner)
  const visitor = await openLink(service(), link)
  await followSetupLinks(service().services).run(service().database)

  expect((await visitor.open('/setup')).status).toBe(200)
  expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'in_use', endedBecause: null })
})

/** A link that activates its directory, which has sent its first request. */
async function fulfilled() {
  const made = await opened({ purposes: ['scim'], activate: true })
  const shown = await made.visitor.submit('/setup/directory', { action: 'begin' })
  const { directoryId } = await setupLinkOf(made.organisation, made.link.id)
  const scim = directoryClient(service(), directoryId, /scim_[\w-]{43}/.exec(shown.body)?.[0] ?? '')
  return { ...made, directoryId, send: async () => expect((await scim.get('/Users')).status).toBe(200) }
}

/** Has the directory of a link give a role that its creator does not hold. */
async function givesMore({ organisation: { owner }, directoryId }: Awaited<ReturnType<typeof fulfilled>>) {
  const role = await service().given.role(owner, { permissions: ['webhooks:delete'] })
  const groupMappings = [{ group: { displayName: 'Support' }, roleIds: [role.id], teamIds: [] }]
  expect(await owner.patch(`/v1/admin/directories/${directoryId}`, { groupMappings })).toMatchObject({ status: 200 })
}

describe('a set-up link whose creator may no longer activate what it has made', () => {
  it('is finished, and awaits an administrator', async () => {
    const made = await fulfilled()
    const { organisation, link, visitor, directoryId, send } = made
    await givesMore(made)
    await send()
    await service().settled()

    const { status, body } = await visitor.open('/setup')
    expect([status, body]).toEqual([200, expect.stringContaining('Everything is set up')])
    expect(body).not.toContain('webhooks:delete')
    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'finished', activatedAt: null })
    const directory = async () => (await organisation.owner.get(`/v1/admin/directories/${directoryId}`)).body
    expect(await directory()).toMatchObject({ isActive: false })
    expect((await actionsOf(organisation, link.id)).map(([action]: string[]) => action)).toEqual([
      'setup_link.finished',
      'setup_link.used',
      'setup_link.created',
    ])

    expect(await organisation.owner.post(`${path}/${link.id}/activate`)).toMatchObject({ status: 200 })
    expect(await directory()).toMatchObject({ isActive: true })
  })

  it('does not stop the task that finishes those of other organisations', async () => {
    const [stuck, other] = [await fulfilled(), await fulfilled()]
    await givesMore(stuck)
    for (const { send } of [stuck, other]) await send()
    await service().settled()
    await followSetupLinks(service().services).run(service().database)

    expect(await setupLinkOf(stuck.organisation, stuck.link.id)).toMatchObject({ state: 'finished', activatedAt: null })
    expect(await setupLinkOf(other.organisation, other.link.id)).toMatchObject({ state: 'finished', activatedAt: expect.any(String) })
  })
})

it('a set-up link that cannot be followed stops no other one, and is reported', async () => {
  const [first, second] = [await opened({ purposes: ['scim'] }), await opened({ purposes: ['domain'] })]
  const links = service().database.system().updateTable('setupLinks')
  await links.set({ settings: '{"groupMappings":1}' }).where('id', '=', first.link.id).execute()
  await takeRolesFrom(second.organisation.owner, second.maker.id)

  await expect(followSetupLinks(service().services).run(service().database)).rejects.toThrow('could not be followed')
  expect(await setupLinkOf(second.organisation, second.link.id)).toMatchObject({ endedBecause: 'right_lost' })
})

describe('the secret of a set-up link', () => {
  it('opens nothing else: neither as a token nor as a cookie, at no route', async () => {
    const { link, visitor } = await opened()
    const { body: description } = await service().anonymous.get('/openapi.json')
    const tried = Object.entries(description.paths as Record<string, Record<string, unknown>>).flatMap(([route, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => [method.toUpperCase(), route.replace(/\{\w+\}/g, 'unknown')] as const),
    )
    const isGuarded = (route: string) => /^\/(v1\/(admin|me|system)|scim\/v2)\//.test(route)
    expect(tried.filter(([, route]) => isGuarded(route)).length).toBeGreaterThan(150)
    expect(tried.filter(([, route]) => !isGuarded(route)).length).toBeGreaterThan(20)
    const statusOf = async (method: string, route: string, headers: Record<string, string>) =>
      (await service().anonymous.request(method, route, { headers, body: method === 'GET' ? undefined : {} })).status
    const admitted: string[] = []
    for (const [method, route] of tried) {
      // What is open to all takes no notice of it.
      const otherwise = isGuarded(route) ? 401 : await statusOf(method, route, {})
      for (const headers of [
        { authorization: `Bearer ${link.token}` },
        { authorization: `Basic ${Buffer.from(`${link.id}:${link.token}`).toString('base64')}` },
        { cookie: visitor.cookie },
        { cookie: `svc_session=${link.token}` },
      ]) {
        const status = await statusOf(method, route, headers)
        if (![401, 429, otherwise].includes(status)) admitted.push(`${method} ${route} ${status}`)
      }
    }
    expect(admitted).toEqual([])
  })

  it('may be wrong five times an address, and no request is served to an address more often than thirty times a minute', async () => {
    const { organisation, visitor } = await opened()
    service().clock.advance({ minutes: 16 })
    const stranger = new PageVisitor(service().origin)
    for (let tries = 0; tries < 5; tries++) expect((await stranger.submit('/setup', { token: 'x'.repeat(43) })).status).toBe(400)
    const link = await createSetupLink(organisation.owner)
    service().clock.advance({ minutes: 2 })
    expect((await stranger.submit('/setup', { token: link.token })).status).toBe(429)
    service().clock.advance({ minutes: 15 })
    expect((await stranger.submit('/setup', { token: link.token })).status).toBe(303)

    service().clock.advance({ minutes: 2 })
    const statuses: number[] = []
    for (let asked = 0; asked < 31; asked++) statuses.push((await visitor.open('/setup')).status)
    expect(statuses).toEqual([...Array(30).fill(200), 429])
  })

  it('is stored as its hash alone', async () => {
    const { organisation, link } = await opened()
    const row = await service().database.tenant(organisation.id).selectFrom('setupLinks').selectAll().where('id', '=', link.id).execute()
    expect(JSON.stringify(row)).not.toContain(link.token)
  })
})

it('links are removed 90 days after their end, and what was made by them stays', async () => {
  const organisation = await service().given.organisation()
  const link = await createSetupLink(organisation.owner)
  await organisation.owner.delete(`${path}/${link.id}`)
  service().clock.advance({ days: 89 })
  await removeOldSetupLinks.run(service().database)
  const owner = await service().given.signIn(organisation.owner.email)
  expect(await setupLinkOf({ owner }, link.id)).toBeDefined()
  service().clock.advance({ days: 2 })
  await removeOldSetupLinks.run(service().database)
  expect(await setupLinkOf({ owner: await service().given.signIn(organisation.owner.email) }, link.id)).toBeUndefined()
})
