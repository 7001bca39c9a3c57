import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UpstreamRefusal } from '../../src/connections/upstream/checks.ts'
import { meOf } from '../support/federation.ts'
import type { SignedInUser } from '../support/given.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { unreadable } from '../support/saml-provider.ts'
import { beginSaml, connectSaml, newAtProvider, ownMetadataOf, postResponse, samlFields, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, type SignedInUser as SignedInAtProvider, samlifyProvider } from '../support/samlify-provider.ts'
import { forgetStarts, useService } from '../support/service.ts'

const service = useService()
const path = '/v1/admin/connections'

let provider: SamlifyProvider
let renewed: SamlifyProvider
/** What stands at the address of the metadata. */
let shown: string
let metadataUrl: string
const server = createServer((_request, response) => void response.end(shown))

beforeAll(async () => {
  const now = () => service().clock.now()
  ;[provider, renewed] = await Promise.all([samlifyProvider({ now }), samlifyProvider({ now })])
  shown = provider.metadata
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`
})
afterAll(() => void server.close())

const samlConnection = (fields: Record<string, unknown> = {}) => samlFields(provider, fields)

async function connected(fields: Record<string, unknown> = {}) {
  const organisation = await service().given.organisation()
  const { status, body } = await organisation.owner.post(path, samlConnection(fields))
  expect([status, body]).toMatchObject([201, { type: 'saml' }])
  return { ...organisation, connection: body }
}

const connectedDomain = (fields: Record<string, unknown> = {}) => connectSaml(service(), provider, fields)
const ownMetadata = (connection: { id: string }) => ownMetadataOf(service(), connection)
const begun = (connection: { id: string }, more = '') => beginSaml(service(), connection, { more })
const post = (connection: { id: string }, state: string, message: string) => postResponse(service(), connection, state, message)
const signIn = (connection: { id: string }, user: SignedInAtProvider, by = provider) => signInBySaml(service(), connection, user, by)

const anna = newAtProvider
const referenceIn = (body: string) => /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(body)?.[1]
const failedChecks = async (owner: SignedInUser, body: string) => {
  const { body: diagnostic } = await owner.get(`/v1/admin/diagnostics/${referenceIn(body)}`)
  return diagnostic.checks.filter(({ passed }: { passed: boolean }) => !passed).map(({ code }: { code: string }) => code)
}

/** Gives the thread as many messages of an organisation as may wait, each again as soon as it has been read. @returns what ends that */
async function fillReader({ id }: { id: string }): Promise<() => Promise<void>> {
  const saml = await service().services.openSaml()
  let isFull = true
  const reads = Array.from({ length: 105 }, async () => {
    while (isFull)
      await saml
        .readMetadata(id, '<a/>', undefined)
        .catch((error: unknown) => (error instanceof UpstreamRefusal ? undefined : setImmediate()))
  })
  return async () => {
    isFull = false
    await Promise.all(reads)
  }
}

describe('a connection by SAML', () => {
  it('is made from the metadata of its provider, and says what that has to know', async () => {
    const { connection } = await connected()
    const at = `http://gatehouse.test/saml/${connection.id}`

    expect(connection).toMatchObject({
      provider: 'saml',
      callbackUrl: null,
      acsUrl: `${at}/acs`,
      entityId: `${at}/metadata`,
      metadataUrl: `${at}/metadata`,
      configuration: { entityId: provider.entityId, ssoUrl: provider.ssoUrl, certificates: [expect.any(String)] },
      certificates: [{ fingerprint: expect.stringMatching(/^[\da-f]{64}$/) }],
      idpInitiated: 'refuse',
    })
    expect(connection.configuration).not.toHaveProperty('metadataXml')
    const metadata = await ownMetadata(connection)
    expect(metadata).toContain(`entityID="${at}/metadata"`)
    expect(metadata).toContain('AuthnRequestsSigned="true"')
  })

  it('is made from the address of the metadata, or from what they say', async () => {
    const { owner, connection } = await connected({ configuration: { metadataUrl } })
    const { entityId, ssoUrl, certificates } = connection.configuration
    const byHand = await owner.post(path, samlConnection({ configuration: { entityId, ssoUrl, certificates: [provider.certificate] } }))

    expect(byHand).toMatchObject({ status: 201, body: { configuration: { certificates } } })
  })

  it('shows its metadata while others are being signed or read, and asks to come back for those that it has not signed yet', async () => {
    const [known, unknown] = [await connected(), await connected()]
    const document = await ownMetadata(known.connection)
    const release = await fillReader(unknown)

    const metadata = ({ id }: { id: string }) => service().anonymous.get(`/saml/${id}/metadata`)
    const [again, refused] = await Promise.all([metadata(known.connection), metadata(unknown.connection)])
    await release()
    expect(again).toMatchObject({ status: 200, body: document })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await metadata(unknown.connection)).toMatchObject({ status: 200 })
  })

  it('may be incomplete while it is inactive, so that its provider can be told first', async () => {
    const { owner, connection } = await connected({ isActive: false, configuration: undefined })

    expect(await ownMetadata(connection)).toContain('SPSSODescriptor')
    expect(await owner.patch(`${path}/${connection.id}`, { isActive: true })).toMatchObject({
      status: 400,
      body: {
        errors: [
          { path: ['configuration', 'entityId'] },
          { path: ['configuration', 'ssoUrl'] },
          { path: ['configuration', 'certificates'] },
        ],
      },
    })
    expect(await owner.patch(`${path}/${connection.id}`, { isActive: true, configuration: { metadataUrl } })).toMatchObject({
      status: 200,
      body: { isActive: true, configuration: { entityId: provider.entityId } },
    })
  })

  it('is refused with a certificate that cannot be read, alone or in metadata', async () => {
    const { owner } = await service().given.organisation()
    const [certificate = ''] = /[\w+/=]{500,}/.exec(provider.metadata) ?? []
    const bent = unreadable({ certificate }, 'end')
    for (const configuration of [{ certificates: [bent] }, { metadataXml: provider.metadata.replaceAll(certificate, bent) }])
      expect(await owner.post(path, samlConnection({ isActive: false, configuration }))).toMatchObject({ status: 400 })
  })

  it.each<[string, object, (string | number)[]]>([
    ['metadata that are none', { metadataXml: '<a/>' }, ['configuration', 'metadataXml']],
    ['metadata without https', { metadataUrl: 'http://idp.test/metadata' }, ['configuration', 'metadataUrl']],
    ['an address that is a script', { ssoUrl: 'javascript:alert(1)' }, ['configuration', 'ssoUrl']],
    ['a certificate that is none', { certificates: ['nothing'] }, ['configuration', 'certificates', 0]],
    ['a setting of OpenID Connect', { issuer: 'https://idp.test' }, ['configuration', 'issuer']],
  ])('is refused with %s', async (_name, configuration, at) => {
    const { owner } = await service().given.organisation()

    expect(await owner.post(path, samlConnection({ isActive: false, configuration }))).toMatchObject({
      status: 400,
      body: { errors: [{ path: at }] },
    })
    expect((await owner.get(path)).body.data).toEqual([])
  })

  it('has keys of ours that are rotated together: the next is shown at once, and the former decrypts on', async () => {
    const { owner, connection } = await connected()
    const certificatesIn = async () => [...(await ownMetadata(connection)).matchAll(/<ds:X509Certificate>([^<]+)/g)].map(([, one]) => one)
    const before = await certificatesIn()

    expect(await owner.post(`${path}/${connection.id}/rotate-keys`, {})).toMatchObject({ status: 200 })
    const between = await certificatesIn()
    expect(await owner.post(`${path}/${connection.id}/rotate-keys`, { activate: true })).toMatchObject({ status: 200 })
    const after = await certificatesIn()

    // The first is that of the signature by which the document proves itself.
    expect([before.length, between.length, after.length]).toEqual([2, 4, 2])
    expect(after.some((one) => before.includes(one))).toBe(false)
  })
})

describe('a sign-in by SAML', () => {
  it('creates a user of the domain that is assigned to the connection, and signs the same one in from then on', async () => {
    const { connection, domain, id } = await connectedDomain()
    const user = anna(domain)
    const [first, second] = [await signIn(connection, user), await signIn(connection, user)]

    expect(first.headers.get('location')).toBe('/account')
    const [me, again] = [await meOf(service(), first.visitor), await meOf(service(), second.visitor)]
    expect(me.body).toMatchObject({ email: user.email, emailVerified: true })
    expect(again.body.id).toBe(me.body.id)
    const sessions = await service()
      .database.tenant(id)
      .selectFrom('sessions')
      .selectAll()
      .where('connectionId', '=', connection.id)
      .execute()
    expect(sessions).toMatchObject([{ upstreamSession: expect.stringMatching(/^\S+ \S+$/) }, {}])
  })

  it('proves no address of another domain', async () => {
    const { owner, connection } = await connectedDomain()
    const { status, body } = await signIn(connection, anna('elsewhere.test'))

    expect(status).toBe(403)
    expect((await owner.get('/v1/admin/users')).body.total).toBe(1)
    expect(body).toContain('administrator')
  })

  it('may bring two thousand groups', async () => {
    const { connection, domain } = await connectedDomain()
    const groups = Array.from({ length: 2_000 }, (_group, number) => `9f2f4f3e-8f0e-4c53-9f7e-${String(number).padStart(12, '0')}`)

    expect((await signIn(connection, { ...anna(domain), groups })).headers.get('location')).toBe('/account')
  })

  it.each(['groups', 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'])(
    'is refused when the groups did not come because there are too many, where roles follow %s',
    async (claim) => {
      const { owner, connection, domain } = await connectedDomain()
      const role = await service().given.role(owner)
      const roleMappings = [{ claim, value: 'support', roleId: role.id }]
      expect(await owner.patch(`${path}/${connection.id}`, { roleMappings })).toMatchObject({ status: 200 })

      const { status, body } = await signIn(connection, {
        ...anna(domain),
        groupsLink: 'https://graph.windows.net/users/ada/getMemberObjects',
      })
      expect([status, await failedChecks(owner, body)]).toEqual([400, ['groups']])
    },
  )

  it('takes a response once, and an assertion once', async () => {
    const { owner, connection, domain } = await connectedDomain()
    const { visitor, state, message } = await signIn(connection, anna(domain))

    const again = await post(connection, state, message)
    expect(again.status).toBe(400)
    expect((await visitor.open(`/federation/${connection.id}/callback?state=${state}`)).status).toBe(400)

    const other = await begun(connection)
    const posted = await post(connection, other.state, message)
    const refused = await other.visitor.open(posted.headers.get('location') ?? '')
    expect(refused.status).toBe(400)
    expect(await failedChecks(owner, refused.body)).toEqual(['in_response_to'])
  })

  it('needs the browser that began it', async () => {
    const { connection, domain } = await connectedDomain()
    const { location, state, metadata } = await begun(connection)
    const { id } = await provider.readRequest(metadata, location)
    const posted = await post(connection, state, await provider.respond(metadata, id, anna(domain)))

    const stranger = new PageVisitor(service().origin)
    expect((await stranger.open(posted.headers.get('location') ?? '')).status).toBe(400)
  })

  it('ends a minute after the response has come', async () => {
    const { owner, connection, domain } = await connectedDomain()
    const { visitor, location, state, metadata } = await begun(connection)
    const { id } = await provider.readRequest(metadata, location)
    const posted = await post(connection, state, await provider.respond(metadata, id, anna(domain)))
    service().clock.advance({ minutes: 1 })

    const late = await visitor.open(posted.headers.get('location') ?? '')
    expect(await failedChecks(owner, late.body)).toEqual(['response'])
  })

  it('shows a refusal with the check that failed', async () => {
    const { owner, connection } = await connectedDomain()
    const { visitor, state } = await begun(connection)
    const posted = await post(connection, state, Buffer.from('<!DOCTYPE a><a/>').toString('base64'))
    const { status, body } = await visitor.open(posted.headers.get('location') ?? '')

    expect(status).toBe(400)
    expect(await failedChecks(owner, body)).toEqual(['markup'])
  })

  it('that was not asked for is refused, or begins one that was asked for', async () => {
    const { owner, connection } = await connectedDomain()
    expect((await post(connection, '', 'anything')).status).toBe(400)

    await owner.patch(`${path}/${connection.id}`, { idpInitiated: 'restart' })
    const restarted = await post(connection, '/account/profile', 'anything')
    expect([restarted.status, restarted.headers.get('location')]).toEqual([
      303,
      `/federation/${connection.id}/start?returnTo=%2Faccount%2Fprofile`,
    ])
    expect((await post(connection, 'https://evil.test', 'anything')).headers.get('location')).toBe(
      `/federation/${connection.id}/start?returnTo=%2F`,
    )
  })

  it('asks the provider for a new sign-in where ours asks for one, and refuses an old one', async () => {
    const { connection } = await connectedDomain()
    const requestOf = async (more: string) => {
      const { location } = await begun(connection, more)
      const { inflateRawSync } = await import('node:zlib')
      return inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    }

    expect(await requestOf('&prompt=login')).toContain('ForceAuthn="true"')
    expect(await requestOf('')).not.toContain('ForceAuthn')
  })

  it('begins with a form that is posted, signed, where the provider takes requests in no other way', async () => {
    const posting = await samlifyProvider({ now: () => service().clock.now(), takes: ['HTTP-POST'] })
    const { connection, domain } = await connectedDomain({ configuration: { metadataXml: posting.metadata } })
    expect(connection.configuration).toMatchObject({ ssoUrl: posting.ssoUrl, ssoBinding: 'post' })
    await forgetStarts(service())
    const visitor = new PageVisitor(service().origin)
    const page = await visitor.open(`/federation/${connection.id}/start?returnTo=/account`)

    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; base-uri 'none'/)
    expect(page.body).toContain(`<form method="post" action="${posting.ssoUrl}">`)
    expect(page.body).toContain('<noscript><button>Continue</button></noscript>')
    const fields = Object.fromEntries([...page.body.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]))
    const metadata = await ownMetadata(connection)
    const request = await posting.readPostedRequest(metadata, fields)
    expect(request).toMatchObject({ destination: posting.ssoUrl, acsUrl: connection.acsUrl, issuer: connection.entityId })
    const posted = await post(connection, fields.RelayState ?? '', await posting.respond(metadata, request.id, anna(domain)))
    expect((await visitor.open(posted.headers.get('location') ?? '')).headers.get('location')).toBe('/account')

    const body = Buffer.from(fields.SAMLRequest ?? '', 'base64')
      .toString()
      .replace(connection.acsUrl, 'https://evil.test/acs')
    const forged = { ...fields, SAMLRequest: Buffer.from(body).toString('base64') }
    await expect(posting.readPostedRequest(metadata, forged)).rejects.toThrow()
  })

  it('is tested by a form, too', async () => {
    const posting = await samlifyProvider({ now: () => service().clock.now(), takes: ['HTTP-POST'] })
    const { owner, connection } = await connected({ configuration: { metadataXml: posting.metadata } })
    const { body } = await owner.post(`${path}/${connection.id}/test`)
    const visitor = new PageVisitor(service().origin, owner.cookie)

    expect((await visitor.open(new URL(body.url).pathname)).body).toContain(`action="${posting.ssoUrl}"`)
  })

  it('continues by a new certificate that the metadata show, without any change by hand', async () => {
    const { connection, domain } = await connectedDomain({ configuration: { metadataUrl } })
    const user = anna(domain)
    expect((await signIn(connection, user)).headers.get('location')).toBe('/account')

    shown = renewed.metadata
    expect((await signIn(connection, user, renewed)).headers.get('location')).not.toBe('/account')
    service().clock.advance({ minutes: 10 })
    expect((await signIn(connection, user, renewed)).headers.get('location')).toBe('/account')
    shown = provider.metadata
  })

  it('that meets too many others begins again from the page that says so, and ends where it was to lead', async () => {
    const { connection, domain, ...organisation } = await connectedDomain()
    const { visitor, location, state, metadata } = await beginSaml(service(), connection, { returnTo: '/account/security' })
    const { id } = await provider.readRequest(metadata, location)
    const posted = await post(connection, state, await provider.respond(metadata, id, anna(domain)))
    const release = await fillReader(organisation)
    const { status, headers, body } = await visitor.open(posted.headers.get('location') ?? '')
    await release()

    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([503, '5', 'no-store'])
    expect(body).toContain('Too many people are signing in')
    const [, again = ''] = /href="(\/federation\/[^"]*\/start[^"]*)"/.exec(body) ?? []
    const restarted = await visitor.open(again.replaceAll('&amp;', '&'))
    const second = new URL(restarted.headers.get('location') ?? '')
    const request = await provider.readRequest(metadata, second)
    const message = await provider.respond(metadata, request.id, anna(domain))
    const answered = await post(connection, second.searchParams.get('RelayState') ?? '', message)
    expect((await visitor.open(answered.headers.get('location') ?? '')).headers.get('location')).toBe('/account/security')
  })

  it('has its turn although another organisation has more read than may wait', async () => {
    const { connection, domain } = await connectedDomain()
    const release = await fillReader(await service().given.organisation())
    const { headers } = await signIn(connection, anna(domain))
    await release()

    expect(headers.get('location')).toBe('/account')
  })

  it('that is tested while too many others are read says so, in place of what has arrived', async () => {
    const { owner, connection, domain, ...organisation } = await connectedDomain()
    const { body } = await owner.post(`${path}/${connection.id}/test`)
    const visitor = new PageVisitor(service().origin, owner.cookie)
    const location = new URL((await visitor.open(new URL(body.url).pathname)).headers.get('location') ?? '')
    const metadata = await ownMetadata(connection)
    const { id } = await provider.readRequest(metadata, location)
    const message = await provider.respond(metadata, id, anna(domain))
    const posted = await post(connection, location.searchParams.get('RelayState') ?? '', message)
    const release = await fillReader(organisation)
    const shownAt = (await visitor.open(posted.headers.get('location') ?? '')).headers.get('location') ?? ''
    await release()

    expect((await visitor.open(shownAt)).body).toContain('fewer messages at the same time: try again in a moment')
  })
})
