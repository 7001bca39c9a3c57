import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConnection } from '../support/connections.ts'
import { directoryClient } from '../support/directories.ts'
import { publish, uniqueDomain } from '../support/domains.ts'
import { type TestOrganisation, unique } from '../support/given.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { type SamlifyProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'
import { createSetupLink, openLink, setupLinkOf } from '../support/setup-links.ts'

const service = useService()
const path = '/v1/admin/setup-links'

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

async function opened(fields: Record<string, unknown> = {}) {
  const organisation = await service().given.organisation()
  const link = await createSetupLink(organisation.owner, fields)
  return { organisation, ...organisation, link, visitor: await openLink(service(), link) }
}

const textOf = (body: string) => body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

async function addedDomain(visitor: PageVisitor, { owner }: Pick<TestOrganisation, 'owner'>, domain = uniqueDomain()) {
  expect((await visitor.submit('/setup/domain', { action: 'add', domain })).status).toBe(303)
  const { body } = await owner.get('/v1/admin/domains')
  return body.data.find((one: { domain: string }) => one.domain === domain)
}

async function connectedBy(visitor: PageVisitor, domain = 'example.test', beforeSaving: () => Promise<unknown> = async () => {}) {
  provider.behaviour.user = { sub: `sub-${unique()}`, email: `ada-${unique()}@${domain}`, email_verified: true }
  expect((await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })).status).toBe(303)
  await beforeSaving()
  const saved = { action: 'save', issuer: provider.issuer, clientId: 'gatehouse', secret: 'secret' }
  expect((await visitor.submit('/setup/connection', saved)).status).toBe(303)
}

/** Begins a test sign-in, by a page that continues: browsers refuse redirects to a provider in answer to a form. */
async function begunTest(visitor: PageVisitor): Promise<string> {
  const { status, body } = await visitor.submit('/setup/connection', { action: 'test' })
  const test = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1] ?? ''
  expect([status, test]).toEqual([200, expect.stringMatching(/^\/federation\/test\/[\w-]{43}\.setup\.test$/)])
  return test
}

/** Goes through a test sign-in, up to the page of its result. */
async function tested(visitor: PageVisitor) {
  const test = await begunTest(visitor)
  const left = await visitor.open(test)
  expect(left.status).toBe(303)
  const back = new URL(provider.authorize(new URL(left.headers.get('location') ?? '').searchParams))
  expect((await visitor.open(back.pathname + back.search)).headers.get('location')).toBe(test)
  return visitor.open(test)
}

const entriesOf = async ({ owner }: Pick<TestOrganisation, 'owner'>) => (await owner.get('/v1/admin/audit-logs?limit=1000')).body.data

describe('the page of a set-up link', () => {
  it('asks for the link where no browser has opened one, and says nothing about an organisation', async () => {
    const { status, body, headers } = await new PageVisitor(service().origin).open('/setup')

    expect(status).toBe(200)
    expect(body).toContain('name="token"')
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
  })

  it('takes the link as it was sent, or the secret in it', async () => {
    const { owner } = await service().given.organisation()
    const { token } = await createSetupLink(owner)
    for (const text of [token, `${service().services.publicUrl}/setup#${token}`, ` ${token} `]) {
      service().clock.advance({ minutes: 2 })
      expect((await new PageVisitor(service().origin).submit('/setup', { token: text })).status).toBe(303)
    }
  })

  it('has a cookie of its own, which neither scripts nor other sites send', async () => {
    const { owner } = await service().given.organisation()
    const { token } = await createSetupLink(owner)
    const { headers } = await new PageVisitor(service().origin).submit('/setup', { token })

    expect(headers.getSetCookie().find((line) => line.startsWith('svc_setup='))).toMatch(/Max-Age=7200; Path=\/; HttpOnly; SameSite=Lax/)
  })

  it('shows the steps of its purposes, and what was decided', async () => {
    const { visitor } = await opened({
      name: 'Acme Ltd',
      purposes: ['domain', 'saml', 'scim'],
      settings: { provisioning: 'jit', allowedDomains: ['acme-partners.test'], sso: 'required', deletes: 'delete' },
    })
    const { body } = await visitor.open('/setup')

    for (const text of ['This page is for Acme Ltd', 'Verify your domain', 'Connect your sign-in', 'Provision your users'])
      expect(textOf(body)).toContain(text)
    for (const text of ['get one at their first sign-in', 'is required for the domain', 'are deleted', 'acme-partners.test'])
      expect(textOf(body)).toContain(text)
    expect(textOf((await visitor.open('/setup?ui_locales=de')).body)).toContain('Das hat entschieden, wer Ihnen den Link gesendet hat.')
  })

  it('shows each setting that carries trust, with the names of roles and teams', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const role = (await owner.post('/v1/admin/roles', { name: 'Support', slug: `support-${unique()}` })).body
    const team = (await owner.post('/v1/admin/teams', { name: 'Europe', slug: `europe-${unique()}` })).body
    const link = await createSetupLink(owner, {
      purposes: ['oidc', 'scim'],
      settings: {
        ...{ trustsMfa: true, syncOn: 'every_sign_in', emailTrust: 'verified_claim', mapping: { groups: '/realm/roles' } },
        roleMappings: [{ claim: 'groups', value: 'helpdesk', roleId: role.id }],
        teamMappings: [{ claim: 'region', value: 'eu', teamId: team.id }],
        emailChanges: 'refuse',
        groupMappings: [{ group: { displayName: 'Agents' }, roleIds: [role.id], teamIds: [team.id] }],
      },
    })
    const text = textOf((await (await openLink(service(), link)).open('/setup')).body)
    for (const shown of [
      ...['counts here', 'at each sign-in', 'by the claim email_verified', 'groups: /realm/roles', 'are refused'],
      ...['groups = helpdesk: Support', 'region = eu: Europe', 'Agents: Support, Europe'],
    ])
      expect(text).toContain(shown)
  })

  it('notes who uses it from where, in the record and in the audit log', async () => {
    const { organisation, link } = await opened()

    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'in_use', lastIpAddress: '127.0.0.1' })
    const used = (await entriesOf(organisation)).find(({ action }: { action: string }) => action === 'setup_link.used')
    expect(used).toMatchObject({ actor: { type: 'setup_link', id: link.id }, targetId: link.id, ipAddress: '127.0.0.1' })
  })

  it('has no step that it is not for', async () => {
    const { visitor, owner } = await opened({ purposes: ['domain'] })
    const others = [
      ['connection', { action: 'begin', provider: 'oidc' }],
      ['directory', { action: 'begin' }],
    ] as const
    for (const [step, form] of others) {
      const shown = await visitor.open(`/setup/${step}`)
      expect([step, shown.status, shown.headers.get('location')]).toEqual([step, 303, '/setup'])
      const sent = await visitor.submit(`/setup/${step}`, form, {}, '/setup/domain')
      expect([step, sent.status, sent.headers.get('location')]).toEqual([step, 303, '/setup'])
    }
    const signIn = await opened({ purposes: ['saml'] })
    for (const step of ['domain', 'directory']) expect((await signIn.visitor.open(`/setup/${step}`)).headers.get('location')).toBe('/setup')
    expect((await signIn.visitor.open('/setup/connection')).status).toBe(200)
    for (const records of ['connections', 'directories']) expect((await owner.get(`/v1/admin/${records}`)).body.data).toEqual([])
  })

  it('is open in one browser at a time', async () => {
    const { link, visitor } = await opened()
    const other = await openLink(service(), link)

    expect((await other.open('/setup')).status).toBe(200)
    for (const address of ['/setup/domain', '/setup']) {
      const { status, body } = await visitor.open(address)
      expect([status, textOf(body)]).toEqual([
        400,
        expect.stringContaining('This link is not open in this browser any more. Open it again.'),
      ])
      expect(body).toContain('name="token"')
    }
    expect((await visitor.submit('/setup', { token: link.token })).status).toBe(303)
    expect((await visitor.open('/setup/domain')).status).toBe(200)
  })
})

describe('the domain of a set-up link', () => {
  it('is verified by its record, and belongs to the organisation', async () => {
    const { visitor, organisation, link, owner } = await opened()
    const domain = await addedDomain(visitor, organisation)
    expect(textOf((await visitor.open('/setup/domain')).body)).toContain(domain.challenge.value)

    const missing = await visitor.submit('/setup/domain', { action: 'check' })
    expect([missing.status, textOf(missing.body)]).toEqual([400, expect.stringContaining('What the name servers responded')])
    publish(service(), domain)
    expect((await visitor.submit('/setup/domain', { action: 'check' })).headers.get('location')).toBe('/setup')

    expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'finished', domainId: domain.id, activatedAt: null })
    const [verified] = (await owner.get('/v1/admin/domains')).body.data
    expect(verified).toMatchObject({ status: 'verified', sso: 'off', connectionId: null })
    const made = (await entriesOf(organisation)).filter(({ targetId }: { targetId: string }) => targetId === domain.id)
    expect(made).toMatchObject(Array(2).fill({ actor: { type: 'setup_link', id: link.id } }))
  })

  it('can be entered anew until it is verified', async () => {
    const { visitor, organisation, owner } = await opened()
    await addedDomain(visitor, organisation)
    expect((await visitor.submit('/setup/domain', { action: 'add', domain: uniqueDomain() })).status).toBe(409)
    expect((await visitor.submit('/setup/domain', { action: 'drop' })).status).toBe(303)
    await addedDomain(visitor, organisation)
    expect((await owner.get('/v1/admin/domains')).body.total).toBe(1)
  })

  it.each([
    ['nothing', ''],
    ['no domain', 'not a domain'],
    ['a public suffix', 'co.uk'],
  ])('is not %s', async (_, domain) => {
    const { visitor, owner } = await opened()
    expect((await visitor.submit('/setup/domain', { action: 'add', domain })).status).toBe(400)
    expect((await owner.get('/v1/admin/domains')).body.total).toBe(0)
  })

  it('is one, however many are added at once', async () => {
    const { visitor, owner } = await opened()
    const { formToken } = await visitor.open('/setup/domain')
    const add = () =>
      fetch(`${service().origin}/setup/domain`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ formToken, action: 'add', domain: uniqueDomain() }),
      })
    const statuses = (await Promise.all([add(), add(), add(), add()])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([303, 409, 409, 409])
    expect((await owner.get('/v1/admin/domains')).body.total).toBe(1)
  })
})

describe('what a set-up link has made', () => {
  it('is changed by its visitor no more once an administrator has put it into use, although the link is open', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['domain', 'oidc', 'scim'] })
    const domain = await addedDomain(visitor, organisation)
    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })
    await connectedBy(visitor)
    await visitor.submit('/setup/directory', { action: 'begin' })
    const { connectionId, directoryId, state } = await setupLinkOf(organisation, link.id)
    expect(state).toBe('in_use')
    for (const [at, changes] of [
      [`connections/${connectionId}`, { isActive: true }],
      [`domains/${domain.id}`, { connectionId, sso: 'offered' }],
      [`directories/${directoryId}`, { isActive: true }],
    ] as const)
      expect((await owner.patch(`/v1/admin/${at}`, changes)).status).toBe(200)
    const stored = async () => [
      (await owner.get(`/v1/admin/connections/${connectionId}`)).body.configuration,
      (await owner.get('/v1/admin/domains')).body.data,
      (await owner.get(`/v1/admin/directories/${directoryId}`)).body.tokens.map(({ id }: { id: string }) => id),
    ]
    const before = await stored()
    service().clock.advance({ minutes: 2 })

    // The form of any of its pages: that of a domain that is verified has none.
    for (const [page, fields] of [
      ['connection', { action: 'save', issuer: provider.issuer, clientId: 'another' }],
      ['connection', { action: 'drop' }],
      ['domain', { action: 'drop' }],
      ['directory', { action: 'begin' }],
    ] as const)
      expect([page, (await visitor.submit(`/setup/${page}`, fields, {}, '/setup/connection')).status]).toEqual([page, 409])
    expect(await stored()).toEqual(before)
  })

  it('stays as an administrator has put it into use when its visitor finishes the link, and when the rest is activated', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['domain', 'oidc'], activate: true })
    const domain = await addedDomain(visitor, organisation)
    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })
    await connectedBy(visitor, domain.domain)
    const used = { connectionId: (await createConnection(owner)).id, sso: 'required' }
    expect((await owner.patch(`/v1/admin/domains/${domain.id}`, used)).status).toBe(200)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)

    expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
    const finished = await setupLinkOf(organisation, link.id)
    expect(finished).toMatchObject({ state: 'finished', activatedAt: null })
    expect((await owner.get(`/v1/admin/domains/${domain.id}`)).body).toMatchObject(used)

    expect(await owner.post(`${path}/${link.id}/activate`)).toMatchObject({ status: 200, body: { activatedAt: expect.any(String) } })
    expect((await owner.get(`/v1/admin/connections/${finished.connectionId}`)).body.isActive).toBe(true)
    expect((await owner.get(`/v1/admin/domains/${domain.id}`)).body).toMatchObject(used)
  })

  it('keeps the single sign-on that an administrator has required by the connection of the link', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['domain', 'oidc'] })
    const domain = await addedDomain(visitor, organisation)
    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })
    await connectedBy(visitor, domain.domain)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)
    await visitor.open('/setup')
    const { connectionId, state } = await setupLinkOf(organisation, link.id)
    expect(state).toBe('finished')
    await owner.patch(`/v1/admin/connections/${connectionId}`, { isActive: true })
    expect((await owner.patch(`/v1/admin/domains/${domain.id}`, { connectionId, sso: 'required' })).status).toBe(200)

    expect((await owner.post(`${path}/${link.id}/activate`)).status).toBe(200)
    expect((await owner.get(`/v1/admin/domains/${domain.id}`)).body).toMatchObject({ connectionId, sso: 'required' })
  })

  it.each(['before', 'after'])(
    'awaits an administrator whose mapping gives a role that its creator may not, made %s the visitor saves',
    async (when) => {
      const organisation = await service().given.organisation()
      const { owner } = organisation
      const maker = await service().given.userWith(owner, ['connections:create'])
      const link = await createSetupLink(maker, { purposes: ['oidc'], activate: true })
      const visitor = await openLink(service(), link)
      const role = await service().given.role(owner, { permissions: ['webhooks:delete'] })
      const mapped = async () => {
        const { connectionId } = await setupLinkOf(organisation, link.id)
        const roleMappings = [{ claim: 'groups', value: 'operators', roleId: role.id }]
        expect((await owner.patch(`/v1/admin/connections/${connectionId}`, { roleMappings })).status).toBe(200)
      }
      await connectedBy(visitor, 'example.test', when === 'before' ? mapped : undefined)
      if (when === 'after') await mapped()
      const { connectionId } = await setupLinkOf(organisation, link.id)
      service().clock.advance({ minutes: 2 })
      await tested(visitor)

      expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
      expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'finished', activatedAt: null })
      expect((await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive).toBe(false)
      expect((await maker.post(`${path}/${link.id}/activate`)).status).toBe(403)
      expect((await owner.post(`${path}/${link.id}/activate`)).status).toBe(200)
    },
  )
})

describe('the connection of a set-up link', () => {
  it('is set up and tested, with what was decided, and signs no user in before an administrator activates it', async () => {
    const { visitor, organisation, link, owner } = await opened({
      purposes: ['domain', 'oidc'],
      settings: { provisioning: 'jit', sso: 'offered', allowedDomains: ['example.test'], emailTrust: 'verified_domain' },
    })
    const domain = await addedDomain(visitor, organisation)
    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })
    await connectedBy(visitor, domain.domain)
    service().clock.advance({ minutes: 2 })
    expect(textOf((await visitor.open('/setup/connection')).body)).not.toContain('has passed every check')

    const { body, status } = await tested(visitor)

    expect([status, textOf(body)]).toEqual([200, expect.not.stringContaining('What to do')])
    expect(body).toContain('<th scope="row">nonce</th>')
    expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
    const record = await setupLinkOf(organisation, link.id)
    expect(record).toMatchObject({ state: 'finished', domainId: domain.id })
    const { body: connection } = await owner.get(`/v1/admin/connections/${record.connectionId}`)
    expect(connection).toMatchObject({ isActive: false, provisioning: 'jit', hasSecret: true })
    expect(connection.configuration).toMatchObject({ emailTrust: 'verified_domain', allowedDomains: ['example.test'] })
    expect((await service().anonymous.get(`/federation/${connection.id}/start`)).status).toBe(403)

    expect(await owner.post(`${path}/${link.id}/activate`)).toMatchObject({ status: 200, body: { activatedAt: expect.any(String) } })

    expect((await owner.get(`/v1/admin/connections/${connection.id}`)).body.isActive).toBe(true)
    expect((await owner.get('/v1/admin/domains')).body.data).toMatchObject([{ sso: 'offered', connectionId: connection.id }])
    expect((await owner.post(`${path}/${link.id}/activate`)).status).toBe(200)
    expect((await visitor.open('/setup/connection')).headers.get('location')).toBe('/setup')
  })

  it('is active at once where the link says so', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['oidc'], activate: true })
    await connectedBy(visitor)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)
    expect(textOf((await visitor.open('/setup')).body)).toContain('It is in use from now on')

    const { connectionId, activatedAt } = await setupLinkOf(organisation, link.id)
    expect([activatedAt, (await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive]).toEqual([expect.any(String), true])
  })

  it('is begun without the roles and teams of its mappings that have been deleted since, and so is its directory', async () => {
    const organisation = await service().given.organisation()
    const { owner } = organisation
    const [gone, left] = [await service().given.role(owner), await service().given.role(owner)]
    const team = (await owner.post('/v1/admin/teams', { name: 'Europe', slug: `europe-${unique()}` })).body
    const to = (roleId: string) => ({ claim: 'groups', value: roleId, roleId })
    const link = await createSetupLink(owner, {
      purposes: ['oidc', 'scim'],
      settings: {
        roleMappings: [to(gone.id), to(left.id)],
        teamMappings: [{ claim: 'groups', value: 'europe', teamId: team.id }],
        groupMappings: [
          { group: { displayName: 'Support' }, roleIds: [gone.id, left.id], teamIds: [] },
          { group: { displayName: 'Europe' }, roleIds: [], teamIds: [team.id] },
        ],
      },
    })
    await owner.delete(`/v1/admin/roles/${gone.id}`)
    await owner.delete(`/v1/admin/teams/${team.id}`)
    const visitor = await openLink(service(), link)

    await connectedBy(visitor)
    expect((await visitor.submit('/setup/directory', { action: 'begin' })).status).toBe(200)
    const { connectionId, directoryId } = await setupLinkOf(organisation, link.id)
    expect((await owner.get(`/v1/admin/connections/${connectionId}`)).body).toMatchObject({ roleMappings: [to(left.id)], teamMappings: [] })
    expect((await owner.get(`/v1/admin/directories/${directoryId}`)).body.groupMappings).toEqual([
      { group: { displayName: 'Support' }, roleIds: [left.id], teamIds: [] },
    ])
  })

  it.each(['microsoft', 'google'])('is one of %s although the link names a claim for addresses, which only others have', async (preset) => {
    const { visitor, owner } = await opened({ purposes: ['oidc'], settings: { mapping: { email: 'upn', groups: 'roles' } } })
    expect((await visitor.submit('/setup/connection', { action: 'begin', provider: preset })).status).toBe(303)
    expect((await owner.get('/v1/admin/connections')).body.data).toMatchObject([{ provider: preset, mapping: { groups: 'roles' } }])
    expect((await owner.get('/v1/admin/connections')).body.data[0].mapping).not.toHaveProperty('email')
  })

  it('has to be tested again once it was changed', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['oidc', 'domain'] })
    await connectedBy(visitor)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)
    expect(textOf((await visitor.open('/setup/connection')).body)).toContain('has passed every check')
    service().clock.advance({ minutes: 2 })
    await visitor.submit('/setup/connection', { action: 'save', issuer: provider.issuer, clientId: 'another' })
    expect(textOf((await visitor.open('/setup/connection')).body)).not.toContain('has passed every check')
    expect((await setupLinkOf(organisation, link.id)).state).toBe('in_use')
  })

  it('has to be tested again by whatever order of clocks it was changed: what was tested is what counts', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['oidc', 'domain'] })
    const domain = await addedDomain(visitor, organisation)
    await connectedBy(visitor, domain.domain)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)
    expect(textOf((await visitor.open('/setup/connection')).body)).toContain('has passed every check')
    // In the same millisecond, as by a process whose clock is behind, or by a change that began before the test was noted.
    await visitor.submit('/setup/connection', { action: 'save', issuer: provider.issuer, clientId: 'another' })

    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })
    expect((await setupLinkOf(organisation, link.id)).state).toBe('in_use')
  })

  it('has to be tested again once its domain was added', async () => {
    const { visitor } = await opened({ purposes: ['oidc', 'domain'] })
    await connectedBy(visitor)
    service().clock.advance({ minutes: 2 })
    await tested(visitor)
    expect(textOf((await visitor.open('/setup/connection')).body)).toContain('has passed every check')
    expect((await visitor.submit('/setup/domain', { action: 'add', domain: uniqueDomain() })).status).toBe(303)
    expect(textOf((await visitor.open('/setup/connection')).body)).not.toContain('has passed every check')
  })

  it('has to be tested again once its domain was added while a test was under way', async () => {
    const { visitor } = await opened({ purposes: ['oidc', 'domain'] })
    await connectedBy(visitor)
    service().clock.advance({ minutes: 2 })
    provider.behaviour.intercept = async (path) => {
      if (path === '/token') expect((await visitor.submit('/setup/domain', { action: 'add', domain: uniqueDomain() })).status).toBe(303)
      return undefined
    }
    await tested(visitor)
    provider.behaviour.intercept = undefined
    expect(textOf((await visitor.open('/setup/connection')).body)).not.toContain('has passed every check')
  })

  it.each<[string, object, object, string]>([
    ['without an address', {}, { email: undefined }, 'an address none'],
    ['with an address of another domain than the one that is set up', {}, {}, 'an address of d-'],
    [
      'with an address that it has not verified',
      { emailTrust: 'verified_claim' },
      { email_verified: false },
      'proven by this connection not proven',
    ],
  ])('is not finished by a test %s', async (_name, settings, claims, said) => {
    const isOfDomain = 'email' in claims || 'email_verified' in claims
    const setup = await opened({ purposes: ['oidc', ...(isOfDomain ? [] : ['domain'])], settings })
    const { visitor, organisation, link } = setup
    if (!isOfDomain) publish(service(), await addedDomain(visitor, organisation))
    await connectedBy(visitor)
    provider.behaviour.user = { ...provider.behaviour.user, ...claims } as never
    service().clock.advance({ minutes: 2 })

    const text = textOf((await tested(visitor)).body)
    expect(text).toContain(said)
    expect(text).toContain('The provider sent no address with which users can sign in here')
    expect(text).not.toContain('What would happen')
    expect(await setupLinkOf(organisation, link.id)).toMatchObject({ state: 'in_use', testedAt: null })
  })

  it('shows the visitor what the provider sent, and not which addresses have an account', async () => {
    const { visitor, owner } = await opened({ purposes: ['oidc'] })
    await connectedBy(visitor)
    provider.behaviour.user = { sub: unique(), email: owner.email, email_verified: true }
    service().clock.advance({ minutes: 2 })

    const text = textOf((await tested(visitor)).body)

    expect(text).toContain(owner.email)
    expect(text).not.toContain('What would happen')
    expect(text).not.toContain('only by the owner')
  })

  it('takes the metadata of a SAML provider', async () => {
    const saml = await samlifyProvider({ now: () => service().clock.now() })
    const { visitor, owner } = await opened({ purposes: ['saml'] })
    expect((await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })).status).toBe(409)
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'saml' })
    const { body } = await visitor.open('/setup/connection')
    const [connection] = (await owner.get('/v1/admin/connections')).body.data
    for (const value of [connection.entityId, connection.acsUrl]) expect(body).toContain(value)

    const unreadable = await visitor.submit('/setup/connection', { action: 'save', metadataUrl: '', metadataXml: '<nothing/>' })
    expect([unreadable.status, textOf(unreadable.body)]).toEqual([
      400,
      expect.stringContaining('The metadata cannot be read: they are XML of one identity provider'),
    ])
    expect((await visitor.submit('/setup/connection', { action: 'save', metadataUrl: '', metadataXml: saml.metadata })).status).toBe(303)
    expect((await owner.get(`/v1/admin/connections/${connection.id}`)).body).toMatchObject({
      isActive: false,
      configuration: { entityId: saml.entityId, ssoUrl: saml.ssoUrl },
    })
  })

  /** Connects a SAML provider, and goes through a test sign-in there, up to the page of its result. */
  async function testedBySaml(
    { visitor, organisation, link }: Awaited<ReturnType<typeof opened>>,
    user: { nameId: string; email: string },
    { renewed, metadataUrl, show }: Partial<{ renewed: SamlifyProvider; metadataUrl: string; show: (document: string) => void }> = {},
  ) {
    const made = await samlifyProvider({ now: () => service().clock.now() })
    show?.(made.metadata)
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'saml' })
    const saved = metadataUrl === undefined ? { metadataUrl: '', metadataXml: made.metadata } : { metadataUrl, metadataXml: '' }
    expect((await visitor.submit('/setup/connection', { action: 'save', ...saved })).status).toBe(303)
    const saml = renewed ?? made
    show?.(saml.metadata)
    service().clock.advance({ minutes: 11 })
    const { connectionId } = await setupLinkOf(organisation, link.id)
    const metadata = (await service().anonymous.get(`/saml/${connectionId}/metadata`)).body as string

    const test = await begunTest(visitor)
    const left = new URL((await visitor.open(test)).headers.get('location') ?? '')
    const { id } = await saml.readRequest(metadata, left)
    const posted = await fetch(`${service().origin}/saml/${connectionId}/acs`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://samlify.test', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({
        SAMLResponse: await saml.respond(metadata, id, user),
        RelayState: left.searchParams.get('RelayState') ?? '',
      }),
    })
    expect(posted.status).toBe(303)
    expect((await visitor.open(posted.headers.get('location') ?? '')).headers.get('location')).toBe(test)
    return { connectionId, page: textOf((await visitor.open(test)).body) }
  }

  it('is tested at a SAML provider, too, and finished by that', async () => {
    const setup = await opened({ purposes: ['saml', 'domain'] })
    const { visitor, organisation, link, owner } = setup
    const domain = await addedDomain(visitor, organisation)
    publish(service(), domain)
    await visitor.submit('/setup/domain', { action: 'check' })

    const { connectionId, page } = await testedBySaml(setup, { nameId: unique(), email: `ada@${domain.domain}` })

    expect(page).not.toContain('What to do')
    expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
    await owner.post(`${path}/${link.id}/activate`)
    expect((await owner.get(`/v1/admin/connections/${connectionId}`)).body.isActive).toBe(true)
  })

  it('is finished by a test at a SAML provider that has changed to another certificate, which its metadata show', async () => {
    let shown = ''
    const server = createServer((_request, response) => void response.end(shown))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
    const renewed = await samlifyProvider({ now: () => service().clock.now() })
    const setup = await opened({ purposes: ['saml'] })
    const show = (document: string) => {
      shown = document
    }

    await testedBySaml(setup, { nameId: unique(), email: 'ada@example.test' }, { renewed, metadataUrl, show })
    server.close()

    expect(textOf((await setup.visitor.open('/setup')).body)).toContain('Everything is set up')
  })

  it('says what a SAML provider has to send that does not identify the user', async () => {
    const { page } = await testedBySaml(await opened({ purposes: ['saml'] }), { nameId: '', email: 'ada@example.test' })

    expect(page).toContain('let it send a persistent NameID')
  })

  it('can be another one until it is tested', async () => {
    const { visitor, owner } = await opened({ purposes: ['oidc', 'saml'] })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'google' })
    await visitor.submit('/setup/connection', { action: 'drop' })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'saml' })
    expect((await owner.get('/v1/admin/connections')).body.data).toMatchObject([{ provider: 'saml' }])
  })

  it.each([
    ['an issuer that is no address', { issuer: 'nowhere', clientId: 'a' }],
    ['an issuer with a query', { issuer: 'https://login.acme.test/?a=b', clientId: 'a' }],
    ['a client id with a control character', { issuer: 'https://login.acme.test', clientId: 'a\u0007b' }],
  ])('refuses %s, and stores nothing', async (_, fields) => {
    const { visitor, owner } = await opened({ purposes: ['oidc'] })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })
    expect((await visitor.submit('/setup/connection', { action: 'save', ...fields })).status).toBe(400)
    expect((await owner.get('/v1/admin/connections')).body.data[0].configuration).not.toHaveProperty('clientId')
  })

  it('is saved when nothing is missing for a test, and says what is', async () => {
    const { visitor, owner } = await opened({ purposes: ['oidc', 'saml'] })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })
    const fields = { issuer: provider.issuer, clientId: 'gatehouse', secret: 'secret' }
    for (const name of ['issuer', 'clientId', 'secret']) {
      const { status, body } = await visitor.submit('/setup/connection', { action: 'save', ...fields, [name]: '' })
      expect([name, status, /id="(\w+)-error"><span>([^<]*)/.exec(body)?.slice(1)]).toEqual([name, 400, [name, 'Fill in this field']])
    }
    expect((await visitor.submit('/setup/connection', { action: 'save', ...fields })).status).toBe(303)
    // The one that is stored does.
    expect((await visitor.submit('/setup/connection', { action: 'save', ...fields, secret: '' })).status).toBe(303)

    await visitor.submit('/setup/connection', { action: 'drop' })
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'saml' })
    const empty = await visitor.submit('/setup/connection', { action: 'save', metadataUrl: '', metadataXml: '' })
    expect([empty.status, textOf(empty.body)]).toEqual([400, expect.stringContaining('First enter what your provider shows')])
    expect((await owner.get('/v1/admin/connections')).body.data[0].configuration).not.toHaveProperty('entityId')
  })

  it('shows what is stored when another form of the page is refused, and what was typed when its own is', async () => {
    const { visitor } = await opened({ purposes: ['oidc'] })
    await connectedBy(visitor)
    const valuesIn = (body: string) =>
      ['issuer', 'clientId'].map((name) => new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(body)?.[1])
    const stored = [provider.issuer, 'gatehouse']
    expect(valuesIn((await visitor.open('/setup/connection')).body)).toEqual(stored)

    for (const action of ['test', 'drop']) {
      const refused = await visitor.submit('/setup/connection', { action, formToken: '' })
      expect([action, refused.status, valuesIn(refused.body)]).toEqual([action, 403, stored])
    }
    const typed = { action: 'save', issuer: 'nowhere', clientId: 'another' }
    const refused = await visitor.submit('/setup/connection', typed)
    expect([refused.status, valuesIn(refused.body)]).toEqual([400, ['nowhere', 'another']])
  })

  it('continues in the chosen language when it is saved', async () => {
    const { visitor } = await opened({ purposes: ['oidc'] })
    const page = '/setup/connection?ui_locales=de'
    await visitor.submit(page, { action: 'begin', provider: 'oidc' })
    const saved = await visitor.submit(page, { action: 'save', issuer: provider.issuer, clientId: 'gatehouse', secret: 'secret' })
    expect(saved.headers.get('location')).toBe('/setup/connection?notice=saved&ui_locales=de')
  })

  it('cannot be tested before it is complete', async () => {
    const { visitor } = await opened({ purposes: ['oidc'] })
    expect((await visitor.submit('/setup/connection', { action: 'test' })).status).toBe(409)
    await visitor.submit('/setup/connection', { action: 'begin', provider: 'oidc' })
    expect((await visitor.submit('/setup/connection', { action: 'test' })).status).toBe(400)
  })
})

describe('the directory of a set-up link', () => {
  it('tests that it reaches us, learns of no user, and changes nothing before it is activated', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['scim'], settings: { deletes: 'delete' } })
    const shown = await visitor.submit('/setup/directory', { action: 'begin' })
    const [token = ''] = /scim_[\w-]{43}/.exec(shown.body) ?? []
    const { directoryId } = await setupLinkOf(organisation, link.id)
    const scim = directoryClient(service(), directoryId, token)
    const again = (await visitor.open('/setup/directory')).body
    expect([shown.body, again]).toEqual([expect.stringContaining(token), expect.not.stringContaining(token)])

    expect((await scim.get('/ServiceProviderConfig')).status).toBe(200)
    expect(await scim.get('/Users?filter=userName eq "x"')).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect(await scim.get('/Users')).toMatchObject({ status: 200, body: { totalResults: 0 } })
    expect((await scim.get(`/Users/${owner.id}`)).status).toBe(403)
    expect((await scim.post('/Users', { userName: 'ada@example.test' })).status).toBe(403)
    expect((await scim.post('/Groups', { displayName: 'Support' })).status).toBe(403)

    await service().settled()
    expect(textOf((await visitor.open('/setup')).body)).toContain('Everything is set up')
    expect((await owner.get(`/v1/admin/directories/${directoryId}`)).body).toMatchObject({ isActive: false, deletes: 'delete' })
    await owner.post(`${path}/${link.id}/activate`)
    expect((await owner.get(`/v1/admin/directories/${directoryId}`)).body.isActive).toBe(true)
    expect((await scim.post('/Groups', { displayName: 'Support' })).status).toBe(201)
  })

  it('has a name by the rules of directories, however long that of the link is', async () => {
    const { visitor, organisation, link, owner } = await opened({ purposes: ['scim'], name: 'x'.repeat(255) })
    await visitor.submit('/setup/directory', { action: 'begin' })
    const { directoryId } = await setupLinkOf(organisation, link.id)
    const { name } = (await owner.get(`/v1/admin/directories/${directoryId}`)).body

    expect([name.length, name.endsWith(`x (${link.id.slice(-6)})`)]).toEqual([255, true])
    expect(await owner.patch(`/v1/admin/directories/${directoryId}`, { name })).toMatchObject({ status: 200 })
  })

  it('says in the language of the page why its last request was refused', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['scim'] })
    const shown = await visitor.submit('/setup/directory', { action: 'begin' })
    const [token = ''] = /scim_[\w-]{43}/.exec(shown.body) ?? []
    const { directoryId } = await setupLinkOf(organisation, link.id)
    await directoryClient(service(), directoryId, token).post('/Users', { userName: 'ada@example.test' })
    await service().settled()

    expect(textOf((await visitor.open('/setup/directory')).body)).toContain(
      'The last request was refused: An administrator has yet to activate the directory',
    )
    expect(textOf((await visitor.open('/setup/directory?ui_locales=de')).body)).toContain(
      'Die letzte Anfrage wurde abgelehnt: Das Verzeichnis muss erst aktiviert werden',
    )
  })

  it('keeps its token when the form is sent again, or from another tab', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['scim'] })
    const shown = await visitor.submit('/setup/directory', { action: 'begin' })
    const [token = ''] = /scim_[\w-]{43}/.exec(shown.body) ?? []
    const again = await visitor.submit('/setup/directory', { action: 'begin' })

    expect([again.status, textOf(again.body)]).toEqual([409, expect.stringContaining('This step has been taken already')])
    expect(again.body).not.toContain('scim_')
    const { directoryId } = await setupLinkOf(organisation, link.id)
    service().clock.advance({ minutes: 1 })
    expect((await directoryClient(service(), directoryId, token).get('/Users')).status).toBe(200)
  })

  it('gets one token by forms that are sent at once, first and in place of the former one', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['scim'] })
    const outcomes: unknown[] = []
    for (const form of ['the first', 'another']) {
      const [, replaces = ''] = /name="replaces" value="([^"]*)"/.exec((await visitor.open('/setup/directory')).body) ?? []
      const send = () => visitor.submit('/setup/directory', { action: 'begin', replaces })
      const answers = (await Promise.all([send(), send(), send()])).sort((one, other) => one.status - other.status)
      const [token = ''] = /scim_[\w-]{43}/.exec(answers[0]?.body) ?? []
      const { directoryId } = await setupLinkOf(organisation, link.id)
      service().clock.advance({ minutes: 1 })
      outcomes.push({
        form,
        statuses: answers.map(({ status }) => status),
        taken: answers.filter(({ body }) => textOf(body).includes('This step has been taken already')).length,
        ofToken: (await directoryClient(service(), directoryId, token).get('/ServiceProviderConfig')).status,
      })
    }
    const once = { statuses: [200, 409, 409], taken: 2, ofToken: 200 }
    expect(outcomes).toEqual([
      { form: 'the first', ...once },
      { form: 'another', ...once },
    ])
  })

  it('gets another token in place of the former one', async () => {
    const { visitor, organisation, link } = await opened({ purposes: ['scim'] })
    const tokens: string[] = []
    for (const _ of [1, 2, 3]) {
      const [, replaces = ''] = /name="replaces" value="([^"]*)"/.exec((await visitor.open('/setup/directory')).body) ?? []
      tokens.push(/scim_[\w-]{43}/.exec((await visitor.submit('/setup/directory', { action: 'begin', replaces })).body)?.[0] ?? '')
    }
    const { directoryId } = await setupLinkOf(organisation, link.id)
    service().clock.advance({ minutes: 1 })
    const statuses = await Promise.all(
      tokens.map(async (token) => (await directoryClient(service(), directoryId, token).get('/Users')).status),
    )
    expect(statuses).toEqual([401, 401, 200])
  })
})

describe('the progress of a set-up link', () => {
  it('is told to the page, and nothing else', async () => {
    const { visitor } = await opened({ purposes: ['domain', 'scim'] })
    const { status, body } = await visitor.open('/setup/progress')
    expect([status, Object.keys(JSON.parse(body))]).toEqual([200, ['progress']])
    expect((await new PageVisitor(service().origin).open('/setup/progress')).status).toBe(400)
  })
})
