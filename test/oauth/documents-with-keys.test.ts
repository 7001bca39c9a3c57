import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { assertionOf, byAssertion, type ClientKey, clientKey } from '../support/client-keys.ts'
import { callbackOf, claimsOf, encode, pkce, postForm } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { useService } from '../support/service.ts'

const receiver = await useReceiver()
const service = useService({
  environment: { OAUTH_EXTENSIONS: `${extensions},private_key_jwt,par,jar`, RATE_LIMIT: 'off' },
  outgoing: { ca: receiver.ca },
})
const [first, second] = [await clientKey('ES256', 'first'), await clientKey('EdDSA', 'second')]

/** A client whose document holds the public halves of these keys; it signs with the first one. */
function agent(keys: ClientKey[] = [first], fields: Record<string, unknown> = {}) {
  const client = documentClient(service(), receiver, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: keys.map(({ publicKey }) => publicKey) },
    ...fields,
  })
  client.key = keys[0]
  return client
}

const publish = (client: ReturnType<typeof agent>, keys: ClientKey[]) => {
  client.document.jwks = { keys: keys.map(({ publicKey }) => publicKey) }
  service().clock.advance({ seconds: 301 })
}

const invalidClient = { status: 401, body: { error: 'invalid_client' } }

describe('a client whose document holds a key', () => {
  it('gets tokens, refreshes and revokes by assertions that it signs', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens, answer } = await client.signIn(owner, resource)
    expect(answer.status).toBe(200)
    expect(claimsOf(tokens.access_token)).toMatchObject({ client_id: client.id, aud: resource.identifier })
    expect(await automaticClients(organisation)).toMatchObject([
      { clientId: client.id, clientType: 'confidential', tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [first.publicKey] } },
    ])

    const refreshed = await client.refresh(tokens.refresh_token)
    expect(refreshed).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } })
    expect(await client.revoke(refreshed.body.refresh_token)).toMatchObject({ status: 200 })
    expect(await client.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('is refused without an assertion, with one of another key, for another client, and with one that was used', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client.id }
    const send = (fields: Record<string, string>) => postForm(service().anonymous, '/oauth2/token', { ...form, ...fields })

    expect(await send({})).toMatchObject(invalidClient)
    expect(await send(byAssertion(await assertionOf(service(), client, second)))).toMatchObject(invalidClient)
    const other = { claims: { iss: agent().id } }
    expect(await send(byAssertion(await assertionOf(service(), client, first, other)))).toMatchObject(invalidClient)
    const once = byAssertion(await assertionOf(service(), client, first))
    expect(await send(once)).toMatchObject({ status: 200 })
    expect(await send(once)).toMatchObject(invalidClient)
  })

  it('may publish its keys at an address of the host of its document', async () => {
    const { owner, resource } = await resourceForAll(service())
    const keys = receiver.hook()
    keys.answer = () => ({ status: 200, body: JSON.stringify({ keys: [first.publicKey] }) })
    const client = agent([first], { jwks: undefined, jwks_uri: keys.url })
    expect(await client.signIn(owner, resource)).toMatchObject({ answer: { status: 200 } })
    expect(keys.requests).toHaveLength(1)
  })

  it('pushes its requests by an assertion, before any user has allowed it', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const { challenge } = pkce()
    const form = {
      response_type: 'code',
      redirect_uri: client.redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: resource.identifier,
    }
    const pushed = await client.post('/oauth2/par', form)
    expect(pushed).toMatchObject({ status: 201 })
    const query = encode({ client_id: client.id, request_uri: pushed.body.request_uri })
    expect((await owner.get(`/oauth2/authorize?${query}`)).headers.get('location')).toContain('/oauth2/consent')
    client.key = undefined
    expect(await client.post('/oauth2/par', form)).toMatchObject(invalidClient)
  })

  it('does not sign its requests, although the extension is on: unsigned, the resource decides its organisation', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const now = Math.floor(service().clock.now().getTime() / 1_000)
    const parameters = {
      ...{ response_type: 'code', redirect_uri: client.redirectUri, resource: resource.identifier },
      ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
    }
    const claims = { ...parameters, iss: client.id, client_id: client.id, aud: service().services.issuer, exp: now + 60 }
    const request = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(first.privateKey)
    const sent = await client.authorize(owner, resource, { ...parameters, request })
    expect(callbackOf(sent).get('error')).toBe('request_not_supported')
    expect(await client.post('/oauth2/par', { ...parameters, request })).toMatchObject({
      status: 400,
      body: { error: 'request_not_supported' },
    })
  })

  it('may use a further key at once, and users decide anew since the keys have changed', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    publish(client, [second, first])
    client.key = second
    const refreshed = await client.refresh(tokens.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })
    expect(await automaticClients(organisation)).toMatchObject([{ jwks: { keys: [second.publicKey, first.publicKey] } }])
    await client.ask(owner, resource)

    publish(client, [second])
    expect(await client.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 200 })
    const { body } = await owner.get('/v1/admin/audit-logs?action=client.updated')
    expect(body.data).toMatchObject([{ actorType: 'system' }, { actorType: 'system' }])
  })

  it('revokes by its current keys: a further one counts at once, and one that was removed no longer', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent()
    const [one, two] = [await client.signIn(owner, resource), await client.signIn(owner, resource)]
    publish(client, [second, first])
    client.key = second
    expect(await client.revoke(one.tokens.refresh_token)).toMatchObject({ status: 200 })

    publish(client, [second])
    client.key = first
    for (const token of [two.tokens.refresh_token, two.tokens.access_token]) expect(await client.revoke(token)).toMatchObject(invalidClient)
    client.key = second
    expect(await client.refresh(two.tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('revokes nothing once an administrator has revoked it, although its keys were asked for before', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const keys = receiver.hook()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const published = { status: 200, body: JSON.stringify({ keys: [first.publicKey] }) }
    keys.answer = () => published
    const client = agent([first], { jwks: undefined, jwks_uri: keys.url })
    const { tokens } = await client.signIn(owner, resource)
    const asked = keys.requests.length
    keys.answer = () => held.then(() => published)
    service().clock.advance({ seconds: 601 })

    const answer = client.revoke(tokens.refresh_token)
    await keys.request(asked + 1)
    const [row] = await automaticClients(organisation)
    expect(await owner.post(`/v1/admin/clients/${row?.id}/revoke`)).toMatchObject({ status: 200 })
    release()
    expect(await answer).toMatchObject(invalidClient)
  })

  it('loses every token once all its keys have been replaced, in each organisation', async () => {
    const [one, other] = [await resourceForAll(service()), await resourceForAll(service())]
    const client = agent()
    const held = [await client.signIn(one.owner, one.resource), await client.signIn(other.owner, other.resource)]
    publish(client, [second])
    client.key = second
    // An authorization that begins reads the document anew, and that is enough.
    await client.ask(one.owner, one.resource)
    for (const { tokens } of held) {
      expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      const userInfo = await service().anonymous.get('/oauth2/userinfo', { headers: { authorization: `Bearer ${tokens.access_token}` } })
      expect(userInfo.status).toBe(401)
    }
    expect(await client.signIn(one.owner, one.resource)).toMatchObject({ answer: { status: 200 } })
  })

  it('loses its tokens, too, when it gives its keys up, and asks anew when it gets some', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    Object.assign(client.document, { token_endpoint_auth_method: 'none', jwks: undefined })
    client.key = undefined
    service().clock.advance({ seconds: 301 })
    await client.ask(owner, resource)
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const again = await client.signIn(owner, resource)
    expect(await automaticClients(organisation)).toMatchObject([{ clientType: 'public', tokenEndpointAuthMethod: 'none', jwks: null }])

    Object.assign(client.document, { token_endpoint_auth_method: 'private_key_jwt' })
    publish(client, [first])
    await client.ask(owner, resource)
    expect(await client.refresh(again.tokens.refresh_token)).toMatchObject(invalidClient)
    client.key = first
    expect(await client.refresh(again.tokens.refresh_token)).toMatchObject({ status: 200 })
  })

  it('works for a day with the keys that were read last while its host does not respond, and then not', async () => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const client = agent()
    const { tokens } = await client.signIn(owner, resource)
    client.hook.answer = () => ({ status: 503 })
    service().clock.advance({ minutes: 23 * 60 })
    const refreshed = await client.refresh(tokens.refresh_token)
    expect(refreshed).toMatchObject({ status: 200 })
    service().clock.advance({ minutes: 2 * 60 })
    expect(await client.refresh(refreshed.body.refresh_token)).toMatchObject(invalidClient)
    const admin = await service().given.signIn(organisation.owner.email)
    const { body } = await admin.get('/v1/admin/diagnostics')
    expect(body.data[0]).toMatchObject({ check: 'client_id', received: expect.stringContaining('the status 503') })
  })

  it('redirects to any port of this machine, as other documents do', async () => {
    const { owner, resource } = await resourceForAll(service())
    const client = agent([first], { redirect_uris: ['http://localhost/callback'] })
    const { answer } = await client.signIn(owner, resource, { redirect_uri: 'http://localhost:49152/callback' })
    expect(answer.status).toBe(200)
    expect(callbackOf(await client.authorize(owner, resource, { redirect_uri: 'http://localhost:49153/callback' })).has('code')).toBe(true)
  })
})

describe('a document with keys is refused with a page', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['that publishes a private key', { token_endpoint_auth_method: 'none', jwks: { keys: [first.whole] } }, 'contains a private key'],
    ['that authenticates by a key and has none', { jwks: undefined }, 'private_key_jwt needs jwks'],
    [
      'whose keys are at another host',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: undefined, jwks_uri: 'https://elsewhere.example/jwks.json' },
      'jwks_uri must be https, of the host of the document',
    ],
    [
      'with keys in two places',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [first.publicKey] }, jwks_uri: 'https://localhost/jwks.json' },
      'contains jwks and jwks_uri',
    ],
    ['whose keys are all of kinds that nothing here verifies', { jwks: { keys: [{ kty: 'oct' }] } }, 'private_key_jwt needs jwks'],
    ['whose key has a name that is not stored', { jwks: { keys: [{ ...first.publicKey, kid: '\ud800' }] } }, 'private_key_jwt needs jwks'],
    [
      'whose keys are at an address with a control character',
      { jwks: undefined, jwks_uri: 'https://localhost/\u0000' },
      'jwks_uri in the document is missing or malformed',
    ],
    ['that authenticates by a certificate', { token_endpoint_auth_method: 'tls_client_auth' }, 'tls_client_auth is for clients of one'],
    [
      'that authenticates by a certificate of its own',
      { token_endpoint_auth_method: 'self_signed_tls_client_auth' },
      'self_signed_tls_client_auth is for clients of one',
    ],
    ['with an algorithm that no key signs with', { token_endpoint_auth_signing_alg: 'HS256' }, 'token_endpoint_auth_signing_alg'],
  ])('%s', async (_, fields, reason) => {
    const { owner, organisation, resource } = await resourceForAll(service())
    const answer = await agent([first], fields).authorize(owner, resource)
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining(reason) })
    expect(await automaticClients(organisation)).toEqual([])
  })
})
