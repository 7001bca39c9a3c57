/** Clients that are changed while the service fetches the keys by which they authenticate or sign requests, which may take seconds. */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificateVariables, handedOn, type TestCertificate, testCertificate } from '../support/certificates.ts'
import { assertionOf, byAssertion, type ClientKey, clientKey, publishedKeys } from '../support/client-keys.ts'
import { freshEngine } from '../support/database.ts'
import type { Answer } from '../support/http-client.ts'
import { callbackOf, encode, givenApplication, pkce, postForm, type Registration, type TestApplication } from '../support/oauth.ts'
import { credentialOf, platform } from '../support/platforms.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const OAUTH_EXTENSIONS = 'private_key_jwt,mtls,federated_credentials,jar,par'
let engine: RecordingEngine
let started: TestService
const service = () => started

let [key, certificate] = [] as unknown as [ClientKey, TestCertificate]
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  started = await startTestService({ engine, environment: { OAUTH_EXTENSIONS, RATE_LIMIT: 'off', ...certificateVariables } })
  ;[key, certificate] = [await clientKey('ES256', 'first'), await testCertificate()]
})

afterAll(() => started?.stop())

/** A client whose keys are at an address that holds its answer. */
interface Held {
  app: TestApplication
  ask(): Promise<Answer>
  /** The answer to a request that is sent now; the change is made before the address answers. */
  askDuring(change: () => Promise<Answer>): Promise<Answer>
}

const form = { grant_type: 'client_credentials' }
const given = (registration: Registration) =>
  givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [], ...registration })

function holding(published: { held: Promise<void> | undefined; requests: number | string[] }, ask: () => Promise<Answer>) {
  const asked = () => (typeof published.requests === 'number' ? published.requests : published.requests.length)
  return async (change: () => Promise<Answer>) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    published.held = promise
    const before = asked()
    const answer = ask()
    await expect.poll(asked).toBeGreaterThan(before)
    const changed = await change()
    expect([200, 204]).toContain(changed.status)
    published.held = undefined
    resolve()
    return answer
  }
}

const kinds: [string, () => Promise<Held>][] = [
  [
    'an assertion',
    async () => {
      const published = await publishedKeys()
      published.keys = [key.publicKey]
      const app = await given({ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: published.url })
      const ask = async () =>
        postForm(service().anonymous, '/oauth2/token', { ...form, ...byAssertion(await assertionOf(service(), app, key)) })
      return { app, ask, askDuring: holding(published, ask) }
    },
  ],
  [
    'a self-signed certificate',
    async () => {
      const published = await publishedKeys()
      published.keys = [certificate.publicKey]
      const app = await given({ tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwksUri: published.url })
      const ask = () => app.token(form, handedOn(certificate))
      return { app, ask, askDuring: holding(published, ask) }
    },
  ],
  [
    'a token of a platform',
    async () => {
      const of = await platform('github')
      const app = await given({ tokenEndpointAuthMethod: 'client_secret_basic', federatedCredentials: [credentialOf(of)] })
      const { issuer } = service().services
      const ask = async () => {
        const token = await of.token(issuer, service().clock.now())
        return postForm(service().anonymous, '/oauth2/token', { ...form, client_id: app.id, ...byAssertion(token) })
      }
      return { app, ask, askDuring: holding(of.published, ask) }
    },
  ],
]

const path = ({ id }: TestApplication) => `/v1/admin/clients/${id}`
const invalidClient = { status: 401, body: { error: 'invalid_client' } }

describe.each(kinds)('a client that authenticates by %s', (_, held) => {
  it('gets no token once it is revoked, although its keys were asked for before', async () => {
    const { app, ask, askDuring } = await held()
    const { owner } = app.organisation
    expect(await askDuring(() => owner.post(`${path(app)}/revoke`))).toMatchObject(invalidClient)
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0]).toMatchObject({ check: 'client_state', received: 'revoked' })
    await owner.post(`${path(app)}/activate`)
    expect(await ask()).toMatchObject({ status: 200 })
  })

  it('gets no token for a request from before its revocation, although it is active again', async () => {
    const { app, ask, askDuring } = await held()
    const { owner } = app.organisation
    const answer = await askDuring(async () => {
      await owner.post(`${path(app)}/revoke`)
      return owner.post(`${path(app)}/activate`)
    })
    expect(answer).toMatchObject(invalidClient)
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0].received).toBe('the client was changed while its keys were fetched')
    expect(await ask()).toMatchObject({ status: 200 })
  })

  it('gets no token once the keys are taken from it', async () => {
    const { app, ask, askDuring } = await held()
    const { owner } = app.organisation
    const other = await clientKey('ES256', 'other')
    const { body } = await owner.get(path(app))
    const change =
      body.federatedCredentials.length > 0 ? { federatedCredentials: [] } : { jwks: { keys: [other.publicKey] }, jwksUri: null }
    expect(await askDuring(() => owner.patch(path(app), change))).toMatchObject(invalidClient)
    expect(await ask()).toMatchObject(invalidClient)
  })

  it('is read once where its keys are known', async () => {
    const { ask } = await held()
    await ask()
    engine.statements.length = 0
    expect(await ask()).toMatchObject({ status: 200 })
    const reads = engine.statements.filter(({ query, ofRequest }) => ofRequest && /from clients c\b/.test(query.sql))
    expect(reads).toHaveLength(1)
  })

  it('gets its token after a change of something else', async () => {
    const { app, askDuring } = await held()
    expect(await askDuring(() => app.organisation.owner.patch(path(app), { name: 'Renamed' }))).toMatchObject({ status: 200 })
  })
})

describe('a client that signs its requests', () => {
  async function signing() {
    const published = await publishedKeys()
    published.keys = [key.publicKey]
    const app = await givenApplication(service(), { jwksUri: published.url })
    const { issuer } = service().services
    const seconds = Math.floor(service().clock.now().getTime() / 1_000)
    const claims = {
      ...{ iss: app.id, client_id: app.id, aud: issuer, nbf: seconds, exp: seconds + 300, response_type: 'code', state: 'signed' },
      ...{ redirect_uri: app.redirectUri, code_challenge: pkce().challenge, code_challenge_method: 'S256' },
    }
    const request = await new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid: 'first' }).sign(key.privateKey)
    const { owner } = app.organisation
    const askDuring = holding(published, () => owner.get(`/oauth2/authorize?${encode({ client_id: app.id, request })}`))
    const pushDuring = holding(published, () => app.post('/oauth2/par', { client_id: app.id, request }, app.authorization))
    return { app, owner, askDuring, pushDuring }
  }
  const shown = ({ status, headers }: Answer) => [status, headers.get('location')]
  const onPage = [400, null]

  it('gets no code at a redirect URI that is taken from it meanwhile', async () => {
    const { app, owner, askDuring } = await signing()
    const answer = await askDuring(() => owner.patch(path(app), { redirectUris: ['https://moved.example.test/callback'] }))
    expect(shown(answer)).toEqual(onPage)
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0]).toMatchObject({ check: 'redirect_uri' })
  })

  it('gets no code for a request from before its revocation, although it is active again', async () => {
    const { app, owner, askDuring } = await signing()
    const answer = await askDuring(async () => {
      await owner.post(`${path(app)}/revoke`)
      return owner.post(`${path(app)}/activate`)
    })
    expect(shown(answer)).toEqual(onPage)
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0]).toMatchObject({
      check: 'request',
      received: 'the client was changed while its keys were fetched',
    })
  })

  it('gets no code once the keys are taken from it', async () => {
    const { app, owner, askDuring } = await signing()
    const other = await clientKey('ES256', 'other')
    const answer = await askDuring(() => owner.patch(path(app), { jwks: { keys: [other.publicKey] }, jwksUri: null }))
    expect(shown(answer)).toEqual(onPage)
  })

  it('pushes no request once it is revoked', async () => {
    const { app, owner, pushDuring } = await signing()
    expect(await pushDuring(() => owner.post(`${path(app)}/revoke`))).toMatchObject({
      status: 400,
      body: { error: 'invalid_request_object' },
    })
    expect((await owner.get('/v1/admin/diagnostics')).body.data[0]).toMatchObject({ check: 'client_state', received: 'revoked' })
  })

  it('gets its code after a change of something else', async () => {
    const { app, owner, askDuring } = await signing()
    const answer = await askDuring(() => owner.patch(path(app), { name: 'Renamed' }))
    expect(callbackOf(answer).has('code')).toBe(true)
  })
})
