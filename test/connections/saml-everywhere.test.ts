import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { secondsAfter } from '../../src/platform/clock.ts'
import { meOf } from '../support/federation.ts'
import { givenApplication } from '../support/oauth.ts'
import { beginSaml, connectSaml, newAtProvider, postResponse, samlFields, signInBySaml } from '../support/saml-sign-in.ts'
import { type SamlifyProvider, type SignedInUser, samlifyProvider } from '../support/samlify-provider.ts'
import { useService } from '../support/service.ts'

const service = useService()

let provider: SamlifyProvider
beforeAll(async () => {
  provider = await samlifyProvider({ now: () => service().clock.now() })
})

type World = Awaited<ReturnType<typeof connectSaml>>
const signIn = ({ connection }: Pick<World, 'connection'>, user: SignedInUser) => signInBySaml(service(), connection, user, provider)

/** A user who has signed in, at an application as well. */
async function signedIn(fields: Record<string, unknown> = {}, atProvider: Partial<SignedInUser> = {}) {
  const world = await connectSaml(service(), provider, fields)
  const user = { ...newAtProvider(world.domain), ...atProvider }
  const { visitor } = await signIn(world, user)
  const { body: me } = await meOf(service(), visitor)
  const application = await givenApplication(service(), { organisation: world, requireConsent: false })
  const tokens = await application.signIn({ scope: 'openid offline_access' }, service().anonymous.with({ cookie: visitor.cookie }))
  return { ...world, user, visitor, me, application, tokens }
}

const required = ({ owner, domainId }: World, connectionId: string) =>
  owner.patch(`/v1/admin/domains/${domainId}`, { sso: 'required', connectionId })

describe('a domain whose sign-in goes by a connection of SAML', () => {
  it('takes no password, and this connection alone', async () => {
    const world = await signedIn()
    expect(await required(world, world.connection.id)).toMatchObject({ status: 200 })

    const login = await service().anonymous.post('/v1/auth/login', { email: world.me.email, password: 'correct horse battery' })
    expect(login).toMatchObject({ status: 403, body: { code: 'sso-required', connection: { id: world.connection.id } } })
    expect((await signIn(world, world.user)).headers.get('location')).toBe('/account')
  })

  it('refuses who came by another connection of SAML before, and leads to the one that is required', async () => {
    const world = await signedIn()
    const { body: other } = await world.owner.post('/v1/admin/connections', samlFields(provider))
    await required(world, other.id)

    const { status, body, headers } = await signIn(world, world.user)
    expect([status, headers.get('location')]).toEqual([403, null])
    expect(body).toContain(`/federation/${other.id}/start`)
  })

  it('is out of reach of a connection that it is not assigned to', async () => {
    const world = await signedIn()
    const { body: other } = await world.owner.post('/v1/admin/connections', samlFields(provider, { provisioning: 'jit' }))
    await required(world, world.connection.id)
    const before = (await world.owner.get('/v1/admin/users')).body.total

    expect((await signIn({ connection: other }, newAtProvider(world.domain))).status).toBe(403)
    expect((await world.owner.get('/v1/admin/users')).body.total).toBe(before)
  })
})

describe('what a user has by a connection of SAML', () => {
  it('ends when everything is taken away by which a caller can act as the user', async () => {
    const { id, me, visitor, application, tokens, owner } = await signedIn()
    const path = `/v1/system/organisations/${id}/users/${me.id}/recover`
    expect(await service().operator.post(path, { passwordLink: true })).toMatchObject({ status: 200 })

    expect((await meOf(service(), visitor)).status).toBe(401)
    expect(await application.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await owner.get(`/v1/admin/users/${me.id}/identities`)).body.data).toEqual([])
  })

  it('ends with the session at the provider, where that says when: the session, and what applications hold', async () => {
    const sessionEndsAt = secondsAfter(service().clock.now(), 600)
    const { visitor, application, tokens } = await signedIn({ sessionMaxAgeSeconds: 3_600 }, { sessionEndsAt })
    service().clock.advance({ minutes: 10 })
    // A minute is what clocks may differ by.
    expect((await meOf(service(), visitor)).status).toBe(200)
    const refreshed = await application.refresh(tokens.refresh_token)
    expect(refreshed.status).toBe(200)
    service().clock.advance({ minutes: 1 })

    expect((await meOf(service(), visitor)).status).toBe(401)
    expect(await application.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('ends as the connection says where the provider says that its session never ends', async () => {
    const { visitor } = await signedIn({ sessionMaxAgeSeconds: 600 }, { sessionEndsAt: new Date('9999-12-31T23:59:59Z') })
    expect((await meOf(service(), visitor)).status).toBe(200)
    service().clock.advance({ minutes: 10 })
    expect((await meOf(service(), visitor)).status).toBe(401)
  })

  it('ends earlier where the connection says so', async () => {
    const sessionEndsAt = secondsAfter(service().clock.now(), 3_600)
    const { visitor } = await signedIn({ sessionMaxAgeSeconds: 600 }, { sessionEndsAt })
    service().clock.advance({ minutes: 10 })
    expect((await meOf(service(), visitor)).status).toBe(401)
  })

  it('ends with the connection, where its sessions are to end', async () => {
    const { connection, visitor, application, tokens, owner, domainId } = await signedIn()
    await owner.patch(`/v1/admin/domains/${domainId}`, { sso: 'off' })
    const changed = await owner.patch(`/v1/admin/connections/${connection.id}`, { isActive: false, endSessions: true })

    expect(changed.status).toBe(200)
    expect((await meOf(service(), visitor)).status).toBe(401)
    expect(await application.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('is gone when the user has been erased', async () => {
    const { id, me, user } = await signedIn({ upstreamLogout: true })
    for (const text of [user.email, user.nameId]) expect(await tablesWith(text)).not.toEqual([])

    expect(await service().operator.post(`/v1/system/organisations/${id}/users/${me.id}/erase`)).toMatchObject({ status: 200 })
    for (const text of [user.email, user.nameId]) expect([text, await tablesWith(text)]).toEqual([text, []])
  })
})

/** The tables with a row that contains the text. */
async function tablesWith(text: string): Promise<string[]> {
  const system = service().database.system()
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
    system,
  )
  const found = []
  for (const { name } of rows) {
    const holding = await sql`select from ${sql.table(name)} entry where entry::text ilike ${`%${text}%`} limit 1`.execute(system)
    if (holding.rows.length > 0) found.push(name)
  }
  return found.sort()
}

describe('a response for a connection of another organisation', () => {
  it('signs no user in, although one provider speaks for both', async () => {
    const [here, there] = [await signedIn(), await connectSaml(service(), provider)]
    const begun = { here: await beginSaml(service(), here.connection), there: await beginSaml(service(), there.connection) }
    const { id } = await provider.readRequest(begun.here.metadata, begun.here.location)
    const message = await provider.respond(begun.here.metadata, id, here.user)

    // With the state of here: there it is the state of nothing.
    expect((await postResponse(service(), there.connection, begun.here.state, message)).status).toBe(400)
    const posted = await postResponse(service(), there.connection, begun.there.state, message)
    const refused = await begun.there.visitor.open(posted.headers.get('location') ?? '')
    expect(refused.status).toBe(400)
    expect((await there.owner.get('/v1/admin/users')).body.total).toBe(1)

    const reference = /([0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4})/.exec(refused.body)?.[1]
    const { body } = await there.owner.get(`/v1/admin/diagnostics/${reference}`)
    const failed = body.checks.filter(({ passed }: { passed: boolean }) => !passed).map(({ code }: { code: string }) => code)
    expect(failed).toEqual(expect.arrayContaining(['recipient', 'in_response_to', 'aud']))
    expect((await here.owner.get(`/v1/admin/diagnostics/${reference}`)).status).toBe(404)
  })
})

describe('the check why a user cannot sign in', () => {
  const check = ({ owner }: World, email: string) => owner.post('/v1/admin/sign-in-checks', { email })
  interface Step {
    code: string
    met: boolean
    values: Record<string, string>
  }

  it('follows a connection of SAML to its session', async () => {
    const world = await signedIn()

    const { body } = await check(world, world.me.email)
    expect(body.ways).toContainEqual(expect.objectContaining({ connectionId: world.connection.id, leadsTo: 'session' }))
    expect(body.steps.map(({ code }: Step) => code)).toEqual(expect.arrayContaining(['connection-usable', 'identity-linked']))
  })

  it('says when the metadata of the provider have ended, before any user has tried', async () => {
    const until = new Date(service().clock.now().getTime() + 60_000)
    const metadataXml = provider.metadata.replace('<EntityDescriptor', `<EntityDescriptor validUntil="${until.toISOString()}"`)
    const world = await signedIn({ configuration: { metadataXml } })
    service().clock.advance({ minutes: 2 })

    const { body } = await check(world, world.me.email)
    expect(body.steps.find(({ code }: Step) => code === 'connection-failing')).toMatchObject({
      met: false,
      values: { since: until.toISOString(), error: expect.stringContaining('validUntil') },
    })
  })
})
