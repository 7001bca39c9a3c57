import { describe, expect, it } from 'vitest'
import { removeUnboundClients } from '../../src/automatic-clients/registrations/remove-unbound-clients.ts'
import { removeUnusedClients } from '../../src/automatic-clients/remove-unused.ts'
import type { TestOrganisation } from '../support/given.ts'
import { unique } from '../support/given.ts'
import { callbackOf, claimsOf, decideConsent, pkce, postForm } from '../support/oauth.ts'
import { bearer, newMetadata, registerPath } from '../support/registration.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const environment = { OAUTH_EXTENSIONS: 'dynamic_registration,resource_indicators', OPEN_REGISTRATION: 'on' }
const service = useService({ environment })
const limited = useService({ environment: { ...environment, RATE_LIMIT: 'on' } })
const closed = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration,resource_indicators' } })
const refused = (error: string, status = 400) => ({ status, body: { error } })
const loopback = 'http://localhost/callback'
const redirectUri = 'http://localhost:49152/callback'
const native = (metadata: Record<string, unknown> = {}) =>
  newMetadata({ redirect_uris: [loopback], grant_types: ['authorization_code', 'refresh_token'], ...metadata })
const register = async (metadata: Record<string, unknown> = {}) => {
  const { status, body } = await service().anonymous.post(registerPath, native(metadata))
  expect(status).toBe(201)
  return body as { client_id: string; registration_access_token: string }
}

/** An organisation whose API lets automatic clients in. Its host is the machine itself, so that it needs no domain. */
async function givenResource(fields: Record<string, unknown> = {}) {
  const organisation = await service().given.organisation()
  const identifier = `http://localhost:8080/${unique()}`
  const server = await resourceServer(organisation.owner, { identifier, allowsAutomaticClients: true, ...fields })
  return { organisation, identifier: server.identifier }
}

async function ask({ owner }: TestOrganisation, clientId: string, parameters: Record<string, string> = {}) {
  const { verifier, challenge } = pkce()
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, state: 'xyz' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', ...parameters },
  })
  const answer = await owner.get(`/oauth2/authorize?${query}`)
  const address = new URL(answer.headers.get('location') ?? '', 'http://gatehouse.test')
  return { answer, verifier, reference: address.pathname === '/oauth2/consent' ? (address.searchParams.get('request') ?? '') : undefined }
}

const token = (form: Record<string, string>) => postForm(service().anonymous, '/oauth2/token', form)

/** The whole flow, with the user's consent. */
async function signIn(organisation: TestOrganisation, clientId: string, resource: string) {
  const { owner } = organisation
  const { verifier, reference } = await ask(organisation, clientId, { resource })
  const code = callbackOf(await owner.get(await decideConsent(owner, reference ?? '', 'allow'))).get('code') ?? ''
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri, code_verifier: verifier, resource }
  return token(form)
}

const clientsOf = async ({ owner }: TestOrganisation) => (await owner.get('/v1/admin/clients')).body

describe('open registration', () => {
  it('makes a public client of no organisation, which fits what it asks for', async () => {
    const answer = await service().anonymous.post(
      registerPath,
      native({
        ...{ grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] },
        ...{ token_endpoint_auth_method: 'client_secret_post', scope: 'openid anything' },
      }),
    )
    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...{ client_id: expect.stringMatching(/^ocl_/), token_endpoint_auth_method: 'none', application_type: 'native' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [loopback] },
        registration_client_uri: `http://gatehouse.test${registerPath}/${answer.body.client_id}`,
      },
    })
    for (const member of ['client_secret', 'client_secret_expires_at', 'scope']) expect(answer.body).not.toHaveProperty(member)
  })

  it.each([
    ['a private-use scheme', { redirect_uris: ['com.example.app:/callback'] }, 'invalid_redirect_uri'],
    ['plain http elsewhere', { redirect_uris: ['http://app.example.test/'] }, 'invalid_redirect_uri'],
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['only other grants', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  ])('is refused for %s', async (_, metadata, error) => {
    expect(await service().anonymous.post(registerPath, native(metadata))).toMatchObject(refused(error))
  })

  it('needs a token where the operator has not opened it, and takes no wrong one where they have', async () => {
    expect(await closed().anonymous.post(registerPath, native())).toMatchObject(refused('invalid_token', 401))
    expect(await service().anonymous.post(registerPath, native(), bearer('rgs_unknown'))).toMatchObject(refused('invalid_token', 401))
  })

  it('is limited to twenty an hour for each address, however many come', async () => {
    const { anonymous, database } = limited()
    const answers = await Promise.all(Array.from({ length: 60 }, () => anonymous.post(registerPath, native())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refusal = answers.find(({ status }) => status !== 201)
    expect(refusal).toMatchObject(refused('temporarily_unavailable', 429))
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
    const stored = await database.system().selectFrom('unboundClients').select('clientId').execute()
    expect(stored).toHaveLength(20)
  })

  it('is read, replaced and deleted with its own token', async () => {
    const { client_id: id, registration_access_token: own } = await register()
    const { registration_access_token: other } = await register()
    const { anonymous } = service()
    const path = `${registerPath}/${id}`
    const put = (body: unknown, by = own) => anonymous.request('PUT', path, { body, ...bearer(by) })

    expect(await anonymous.get(path, bearer(own))).toMatchObject({ status: 200, body: { client_id: id, client_name: 'Preview' } })
    expect(await anonymous.get(path, bearer(other))).toMatchObject(refused('invalid_token', 401))
    expect(await put(native({ client_id: id }), other)).toMatchObject(refused('invalid_token', 401))
    expect(await put(native({ client_id: 'ocl_other' }))).toMatchObject(refused('invalid_client_metadata'))
    expect(await put(native({ client_id: id, client_secret: 'chosen' }))).toMatchObject(refused('invalid_client_metadata'))
    expect(await put(native({ client_id: id, client_name: 'Renamed' }))).toMatchObject({ status: 200, body: { client_name: 'Renamed' } })
    expect(await anonymous.delete(path, undefined, bearer(own))).toMatchObject({ status: 204 })
    expect(await anonymous.get(path, bearer(own))).toMatchObject(refused('invalid_token', 401))
  })
})

describe('an openly registered client', () => {
  it('becomes a client of the organisation when a user allows it, and not before', async () => {
    const { organisation, identifier } = await givenResource()
    const { owner } = organisation
    const { client_id: id } = await register()

    const { reference = '' } = await ask(organisation, id, { resource: identifier })
    await decideConsent(owner, reference, 'cancel')
    expect((await clientsOf(organisation)).total).toBe(0)

    const { status, body } = await signIn(organisation, id, identifier)
    expect(status).toBe(200)
    expect(claimsOf(body.access_token)).toMatchObject({ client_id: id, aud: identifier, org: organisation.id, scope: 'orders:read' })
    expect(body.expires_in).toBeLessThanOrEqual(3_600)
    expect(await clientsOf(organisation)).toMatchObject({
      total: 1,
      data: [
        {
          clientId: id,
          origin: 'registration',
          clientType: 'public',
          requireConsent: true,
          registration: { registrationTokenId: null, ipAddress: '127.0.0.1' },
        },
      ],
    })
    const refreshed = await token({ grant_type: 'refresh_token', client_id: id, refresh_token: body.refresh_token })
    expect(refreshed).toMatchObject({ status: 200 })
  })

  it('gets a row of its own in a second organisation', async () => {
    const [one, other] = [await givenResource(), await givenResource()]
    const { client_id: id } = await register()
    for (const { organisation, identifier } of [one, other]) expect((await signIn(organisation, id, identifier)).status).toBe(200)
    const rows = await Promise.all([one, other].map(async ({ organisation }) => (await clientsOf(organisation)).data[0]))
    expect(rows.map(({ clientId }) => clientId)).toEqual([id, id])
    expect(rows[0].id).not.toBe(rows[1].id)
  })

  it.each([
    ['no resource', undefined, {}],
    ['a resource that does not exist', 'http://localhost:8080/unknown', {}],
    ['a resource that lets none in', 'own', { allowsAutomaticClients: false }],
    ['a resource whose host is of no verified domain', 'own', { identifier: `https://${unique()}.example.test` }],
  ])('is sent back with invalid_target for %s', async (_, resource, fields) => {
    const { organisation, identifier } = await givenResource(fields)
    const { client_id: id } = await register()
    const named = resource === 'own' ? identifier : resource
    const { answer } = await ask(organisation, id, named === undefined ? {} : { resource: named })
    expect(callbackOf(answer).get('error')).toBe('invalid_target')
    expect((await clientsOf(organisation)).total).toBe(0)
  })

  it('is not redirected to a number that is no port', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id } = await register()
    const { answer } = await ask(organisation, id, { resource: identifier, redirect_uri: 'http://localhost:65536/callback' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('is allowed anew after it has registered other redirect URIs', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id, registration_access_token: own } = await register()
    await signIn(organisation, id, identifier)
    expect(callbackOf((await ask(organisation, id, { resource: identifier })).answer).has('code')).toBe(true)

    const moved = native({ client_id: id, redirect_uris: [loopback, 'https://moved.example.test/'] })
    await service().anonymous.request('PUT', `${registerPath}/${id}`, { body: moved, ...bearer(own) })
    expect((await ask(organisation, id, { resource: identifier })).reference).toBeDefined()
  })

  it('is allowed anew by each user, also where an administrator has set that it asks none and one user has allowed it since', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id, registration_access_token: own } = await register()
    await signIn(organisation, id, identifier)
    const [{ id: rowId }] = (await clientsOf(organisation)).data
    await organisation.owner.patch(`/v1/admin/clients/${rowId}`, { requireConsent: false })
    const other = { ...organisation, owner: await service().given.userWith(organisation.owner, []) }
    expect(callbackOf((await ask(other, id, { resource: identifier })).answer).has('code')).toBe(true)

    const moved = native({ client_id: id, redirect_uris: [loopback, 'https://moved.example.test/'] })
    await service().anonymous.request('PUT', `${registerPath}/${id}`, { body: moved, ...bearer(own) })
    expect((await signIn(organisation, id, identifier)).status).toBe(200)
    expect((await ask(other, id, { resource: identifier })).reference).toBeDefined()
  })

  it('takes its tokens along when it deletes itself', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id, registration_access_token: own } = await register()
    const { body } = await signIn(organisation, id, identifier)
    await service().anonymous.delete(`${registerPath}/${id}`, undefined, bearer(own))

    expect((await clientsOf(organisation)).total).toBe(0)
    const refresh = { grant_type: 'refresh_token', client_id: id, refresh_token: body.refresh_token }
    // As an unknown client it knows that it has to register anew; its users would only see a page that refuses it.
    expect(await token(refresh)).toMatchObject(refused('invalid_client', 401))
    expect((await ask(organisation, id, { resource: identifier })).answer.status).toBe(400)
  })

  it('is gone from every organisation that has it when it deletes itself', async () => {
    const both = [await givenResource(), await givenResource()]
    const { client_id: id, registration_access_token: own } = await register()
    const refreshTokens: string[] = []
    for (const { organisation, identifier } of both)
      refreshTokens.push((await signIn(organisation, id, identifier)).body.refresh_token as string)
    await service().anonymous.delete(`${registerPath}/${id}`, undefined, bearer(own))

    for (const { organisation } of both) expect((await clientsOf(organisation)).total).toBe(0)
    for (const refresh_token of refreshTokens)
      expect(await token({ grant_type: 'refresh_token', client_id: id, refresh_token })).toMatchObject(refused('invalid_client', 401))
  })

  it('that was removed because nothing used it is unknown at the token endpoint, and one that has only lost its tokens is not', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id } = await register()
    const { body } = await signIn(organisation, id, identifier)
    const refresh = { grant_type: 'refresh_token', client_id: id, refresh_token: body.refresh_token }
    await organisation.owner.delete(`/v1/me/consents/${(await clientsOf(organisation)).data[0].id}`)
    expect(await token(refresh)).toMatchObject(refused('invalid_grant'))

    service().clock.advance({ days: 31 })
    for (const task of [removeUnusedClients, removeUnboundClients]) while (await task.run(service().database));
    expect(await token(refresh)).toMatchObject(refused('invalid_client', 401))
  })

  it('is forgotten after a day unless an organisation has it', async () => {
    const { organisation, identifier } = await givenResource()
    const [bound, unbound] = [await register(), await register()]
    await signIn(organisation, bound.client_id, identifier)
    const { anonymous } = service()
    const read = ({ client_id: id, registration_access_token: own }: typeof bound) => anonymous.get(`${registerPath}/${id}`, bearer(own))
    service().clock.advance({ hours: 23 })
    while (await removeUnboundClients.run(service().database));
    expect(await read(unbound)).toMatchObject({ status: 200 })
    service().clock.advance({ hours: 2 })
    while (await removeUnboundClients.run(service().database));
    expect(await read(bound)).toMatchObject({ status: 200 })
    expect(await read(unbound)).toMatchObject(refused('invalid_token', 401))
  })

  it('is not forgotten while a user is being asked about it', async () => {
    const { organisation, identifier } = await givenResource()
    const { client_id: id, registration_access_token: own } = await register()
    service().clock.advance({ hours: 25 })
    const user = await service().given.signIn(organisation.owner.email)
    const { reference = '' } = await ask({ ...organisation, owner: user }, id, { resource: identifier })
    while (await removeUnboundClients.run(service().database));
    expect(callbackOf(await user.get(await decideConsent(user, reference, 'allow'))).has('code')).toBe(true)
    while (await removeUnboundClients.run(service().database));
    expect(await service().anonymous.get(`${registerPath}/${id}`, bearer(own))).toMatchObject({ status: 200 })
  })
})
