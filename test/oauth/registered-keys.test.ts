import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { assertionOf, byAssertion, clientKey } from '../support/client-keys.ts'
import { postForm } from '../support/oauth.ts'
import { bearer, newMetadata, registered, registerPath, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const all = 'dynamic_registration,resource_indicators,private_key_jwt,jar,par,dpop,jwt_introspection,backchannel_logout'
const service = useService({ environment: { OAUTH_EXTENSIONS: all, OPEN_REGISTRATION: 'on' } })
const without = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration' } })
const stepUp = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration,step_up' } })
const [first, second] = [await clientKey('ES256', 'first'), await clientKey('EdDSA', 'second')]
const { publicKey: encrypting } = await clientKey('RS256')

async function givenToken(from: typeof service = service) {
  const own = await from().given.organisation()
  const grants = ['authorization_code', 'refresh_token', 'client_credentials']
  return { own, ...(await registrationToken(own, { allowedGrantTypes: grants, allowedScopes: ['orders:read'] })) }
}

const byKey = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [first.publicKey] }, grant_types: ['client_credentials'] }
const strict = {
  require_pushed_authorization_requests: true,
  dpop_bound_access_tokens: true,
  require_signed_request_object: true,
  request_object_signing_alg: 'ES256',
  introspection_signed_response_alg: 'EdDSA',
  backchannel_logout_uri: 'https://preview.example.test/backchannel-logout',
  backchannel_logout_session_required: true,
}
const refused = { status: 400, body: { error: 'invalid_client_metadata', error_description: expect.any(String) } }
const ask = async (id: string, key = first) =>
  postForm(service().anonymous, '/oauth2/token', {
    grant_type: 'client_credentials',
    ...byAssertion(await assertionOf(service(), { id }, key)),
  })

describe('a registration with keys', () => {
  it('makes a client that authenticates by its key and has no secret', async () => {
    const { own, token } = await givenToken()
    const metadata = { ...byKey, redirect_uris: [], token_endpoint_auth_signing_alg: 'ES256' }
    const client = await registered(service().anonymous, token, metadata)
    expect(client.body).toMatchObject(metadata)
    expect(client.body).not.toHaveProperty('client_secret')
    expect(client.body).not.toHaveProperty('client_secret_expires_at')
    expect((await client.read()).body).toEqual(client.body)
    expect(await ask(client.id)).toMatchObject({ status: 200 })
    expect(await ask(client.id, second)).toMatchObject({ status: 401 })
    expect((await own.owner.get(`/v1/admin/clients/${client.id}`)).body).toMatchObject({
      clientType: 'confidential',
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [first.publicKey] },
      secret: null,
    })
  })

  it('may name the address of its keys, and replace its keys itself', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token, byKey)
    const keys = { jwks: { keys: [second.publicKey] } }
    expect(await client.replace(newMetadata({ ...byKey, ...keys, client_id: client.id }))).toMatchObject({ status: 200, body: keys })
    expect(await ask(client.id, second)).toMatchObject({ status: 200 })
    expect(await ask(client.id)).toMatchObject({ status: 401 })
    const address = { jwks: undefined, jwks_uri: 'https://preview.example.test/jwks.json' }
    const moved = await client.replace(newMetadata({ ...byKey, ...address, client_id: client.id }))
    expect(moved).toMatchObject({ status: 200, body: { jwks_uri: address.jwks_uri } })
    expect(moved.body).not.toHaveProperty('jwks')
  })

  it('leaves out keys that sign nothing, which many clients publish beside', async () => {
    const { token } = await givenToken()
    const keys = [first.publicKey, { ...encrypting, use: 'enc' }]
    expect((await registered(service().anonymous, token, { ...byKey, jwks: { keys } })).body.jwks).toEqual({ keys: [first.publicKey] })
  })

  it('takes what makes it stricter, and repeats it', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token, strict)
    expect(client.body).toMatchObject(strict)
    expect((await own.owner.get(`/v1/admin/clients/${client.id}`)).body).toMatchObject({
      requirePushedAuthorizationRequests: true,
      requireDpop: true,
      requireSignedRequestObject: true,
      requestObjectSigningAlg: 'ES256',
      introspectionSignedResponseAlg: 'EdDSA',
      backchannelLogoutUri: strict.backchannel_logout_uri,
      backchannelLogoutSessionRequired: true,
    })
    const plain = await client.replace(newMetadata({ client_id: client.id }))
    expect(plain).toMatchObject({ status: 200, body: { dpop_bound_access_tokens: false, require_signed_request_object: false } })
    expect(plain.body).not.toHaveProperty('backchannel_logout_uri')
  })

  it('never takes back what an administrator has made stricter, however often it is replaced', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    const path = `/v1/admin/clients/${client.id}`
    const stricter = {
      requireDpop: true,
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [first.publicKey] },
      backchannelLogoutUri: 'https://logout.example.test/',
    }
    expect(await own.owner.patch(path, stricter)).toMatchObject({ status: 200 })
    for (const name of ['One', 'Two']) {
      const sent = { client_id: client.id, client_name: name, dpop_bound_access_tokens: false, require_pushed_authorization_requests: true }
      const answer = await client.replace(newMetadata({ ...sent, jwks: { keys: [second.publicKey] } }))
      expect(answer).toMatchObject({
        status: 200,
        body: {
          ...{ client_name: name, dpop_bound_access_tokens: true, require_pushed_authorization_requests: true },
          ...{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [first.publicKey] } },
        },
      })
      expect((await own.owner.get(path)).body).toMatchObject({ name, ...stricter, requirePushedAuthorizationRequests: true })
    }
  })

  it('never takes back the age and the level of a sign-in that an administrator has set, but those that it has set itself', async () => {
    const { own, token } = await givenToken(stepUp)
    const { anonymous } = stepUp()
    const client = await registered(anonymous, token)
    const path = `/v1/admin/clients/${client.id}`
    const stricter = { defaultMaxAge: 900, defaultAcrValues: ['aal2'] }
    expect(await own.owner.patch(path, stricter)).toMatchObject({ status: 200 })
    for (const sent of [{}, { default_max_age: 86_400, default_acr_values: ['aal1'] }]) {
      expect(await client.replace(newMetadata({ client_id: client.id, ...sent }))).toMatchObject({ status: 200 })
      expect((await own.owner.get(path)).body).toMatchObject(stricter)
    }

    const itself = await registered(anonymous, token, { default_max_age: 900, default_acr_values: ['aal2'] })
    const replaced = await itself.replace(newMetadata({ client_id: itself.id, default_max_age: 3600 }))
    expect(replaced).toMatchObject({ status: 200, body: { default_max_age: 3600 } })
    expect(replaced.body).not.toHaveProperty('default_acr_values')
  })

  it('leaves the level of a sign-in that it has set as it is, while the extension is off', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    // As it was stored while the extension was on.
    await sql`update clients set default_acr_values = '{aal2}',
      registered_metadata = jsonb_set(registered_metadata, '{assurance,defaultAcrValues}', '["aal2"]') where id = ${client.id}`.execute(
      service().database.tenant(own.id),
    )
    expect(await client.replace(newMetadata({ client_id: client.id, client_name: 'Renamed' }))).toMatchObject({ status: 200 })
    const { body } = await own.owner.get(`/v1/admin/clients/${client.id}`)
    expect(body).toMatchObject({ name: 'Renamed', defaultAcrValues: ['aal2'] })
  })

  it('cannot be replaced by one that needs a secret, which the client has never got', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token, byKey)
    expect(await client.replace(newMetadata({ client_id: client.id }))).toMatchObject(refused)
    expect((await client.read()).body).toEqual(client.body)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a key method without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a key method whose keys sign nothing', { ...byKey, jwks: { keys: [{ ...encrypting, use: 'enc' }] } }],
    ['a private key', { ...byKey, jwks: { keys: [first.whole] } }],
    ['more than 20 keys', { ...byKey, jwks: { keys: Array.from({ length: 21 }, () => first.publicKey) } }],
    ['a key whose name is not stored', { ...byKey, jwks: { keys: [{ ...first.publicKey, kid: 'a\u0000' }] } }],
    ['keys that are no set', { ...byKey, jwks: 'keys' }],
    ['keys in two places', { ...byKey, jwks_uri: 'https://a.test/jwks.json' }],
    ['keys at plain http', { ...byKey, jwks: undefined, jwks_uri: 'http://a.test/jwks.json' }],
    ['keys at a private address', { ...byKey, jwks: undefined, jwks_uri: 'https://10.0.0.7/jwks.json' }],
    ['an algorithm of shared secrets', { ...byKey, token_endpoint_auth_signing_alg: 'HS256' }],
    ['unsigned request objects', { request_object_signing_alg: 'none' }],
    ['an algorithm that this service does not sign with', { introspection_signed_response_alg: 'ES256' }],
    ['a switch that is a text', { dpop_bound_access_tokens: 'yes' }],
    ['plain http to tell of ended sessions', { backchannel_logout_uri: 'http://a.test/logout' }],
    ['a private address to tell of ended sessions', { backchannel_logout_uri: 'https://10.0.0.7/logout' }],
  ])('is refused for %s', async (_, metadata) => {
    const { own, token } = await givenToken()
    expect(await service().anonymous.post(registerPath, newMetadata(metadata), bearer(token))).toMatchObject(refused)
    expect((await own.owner.get('/v1/admin/clients')).body.total).toBe(0)
  })

  it('is of none of that without a token: a stranger registers a public client', async () => {
    const { status, body } = await service().anonymous.post(registerPath, newMetadata({ ...byKey, ...strict, grant_types: undefined }))
    expect({ status, body }).toMatchObject({ status: 201, body: { token_endpoint_auth_method: 'none' } })
    for (const member of [...Object.keys(strict), 'jwks', 'client_secret']) expect(body).not.toHaveProperty(member)
  })
})

describe('while the extensions are off', () => {
  it('their members are ignored, whatever they hold, and are not repeated', async () => {
    const { token } = await givenToken(without)
    const odd = { ...strict, jwks: 'x', dpop_bound_access_tokens: 'x', backchannel_logout_uri: 7 }
    const client = await registered(without().anonymous, token, odd)
    for (const member of Object.keys(odd)) expect(client.body).not.toHaveProperty(member)
  })

  it('the method of keys is refused by the name of its extension', async () => {
    const { token } = await givenToken(without)
    const answer = await without().anonymous.post(registerPath, newMetadata(byKey), bearer(token))
    expect(answer).toMatchObject(refused)
    expect(answer.body.error_description).toContain('needs OAUTH_EXTENSIONS to hold private_key_jwt')
  })
})
