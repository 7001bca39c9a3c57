import { describe, expect, it } from 'vitest'
import { bearer, newMetadata, registered, registerPath, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const device = 'urn:ietf:params:oauth:grant-type:device_code'
const service = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration,step_up,device' } })
const without = useService({ environment: { OAUTH_EXTENSIONS: 'step_up' } })
const organisation = () => service().given.organisation()
const refused = (error: string, status = 400) => ({ status, body: { error, error_description: expect.any(String) } })
const post = (token: string, metadata: unknown) => service().anonymous.post(registerPath, metadata, bearer(token))

/** An organisation with a token for everything that a client can register for. */
async function givenToken(allowed: Record<string, unknown> = {}) {
  const own = await organisation()
  const grants = ['authorization_code', 'refresh_token', 'client_credentials']
  return { own, ...(await registrationToken(own, { allowedGrantTypes: grants, allowedScopes: ['orders:read'], ...allowed })) }
}

describe('a registration', () => {
  it('makes a client of the organisation of the token, with the defaults of the standards', async () => {
    const { own, id: tokenId, token } = await givenToken()
    const answer = await post(token, newMetadata({ client_name: ' Preview ', colour: 'green' }))

    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...{ client_id: expect.stringMatching(/^cli_/), client_secret: expect.stringMatching(/^[\w-]{43}$/), client_secret_expires_at: 0 },
        client_id_issued_at: expect.any(Number),
        registration_client_uri: `http://gatehouse.test${registerPath}/${answer.body.client_id}`,
        registration_access_token: expect.stringMatching(/^rga_[\w-]{43}$/),
        ...{ client_name: 'Preview', redirect_uris: ['https://preview.example.test/callback'], application_type: 'web' },
        ...{ token_endpoint_auth_method: 'client_secret_basic', grant_types: ['authorization_code'], response_types: ['code'] },
        ...{
          scope: 'openid profile email phone offline_access orders:read',
          id_token_signed_response_alg: 'RS256',
          subject_type: 'public',
        },
      },
    })
    expect(answer.body).not.toHaveProperty('colour')
    expect(answer.headers.get('cache-control')).toBe('no-store')

    const { body: client } = await own.owner.get(`/v1/admin/clients/${answer.body.client_id}`)
    expect(answer.body.client_id_issued_at).toBe(Math.floor(Date.parse(client.createdAt) / 1_000))
    expect(client).toMatchObject({
      ...{ origin: 'registration', metadataUrl: null, clientId: client.id, clientType: 'confidential', isActive: true },
      ...{ requirePkce: true, allowPlainPkce: false, requireConsent: true, scopes: ['orders:read'] },
      registration: { registrationTokenId: tokenId, ipAddress: '127.0.0.1' },
    })
    const [entry] = await own.owner.audit({ targetId: client.id, action: 'client.created' })
    expect(entry).toMatchObject({ actorType: 'client', actorId: client.id, metadata: { registrationTokenId: tokenId } })
    const { client_secret: secret, registration_access_token: accessToken } = answer.body
    for (const hidden of [secret, accessToken, token]) expect(JSON.stringify(entry)).not.toContain(hidden)
  })

  it('is found among the clients of the organisation by its origin', async () => {
    const { own, token } = await givenToken()
    const { body: registered } = await post(token, newMetadata({ client_name: 'By itself' }))
    const { body: made } = await own.owner.post('/v1/admin/clients', {
      name: 'By hand',
      clientType: 'confidential',
      redirectUris: ['https://hand.example.test/callback'],
    })
    const found = async (query: string) => {
      const { body } = await own.owner.get(`/v1/admin/clients?${query}`)
      return [body.total, ...body.data.map(({ id }: { id: string }) => id)]
    }

    expect(await found('origin=registration')).toEqual([1, registered.client_id])
    expect(await found('origin=admin&q=by%20hand')).toEqual([1, made.id])
    expect(await found('origin=registration&q=by%20hand')).toEqual([0])
    expect(await found('origin=metadata_document')).toEqual([0])
    expect(await own.owner.get('/v1/admin/clients?origin=nowhere')).toMatchObject({ status: 400, body: { errors: [{ path: ['origin'] }] } })
  })

  it('repeats what means nothing to this service, and takes what does', async () => {
    const { token } = await givenToken({ allowedGrantTypes: ['client_credentials', 'authorization_code', 'refresh_token', device] })
    const metadata = {
      ...{ redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback', 'https://app.example.test/callback'] },
      ...{ token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token', device], response_types: ['code'] },
      ...{ client_name: 'Café', client_uri: 'https://app.example.test/', logo_uri: 'https://app.example.test/logo.png' },
      ...{ tos_uri: 'https://app.example.test/terms', policy_uri: 'https://app.example.test/privacy', contacts: ['it@example.test'] },
      ...{ software_id: 'app', software_version: '2.1', scope: 'openid orders:read', default_acr_values: ['aal2'], default_max_age: 3_600 },
      ...{ post_logout_redirect_uris: ['https://app.example.test/'], initiate_login_uri: 'https://app.example.test/login' },
      ...{ id_token_signed_response_alg: 'EdDSA', subject_type: 'public', application_type: 'native' },
    }
    const answer = await post(token, { ...metadata, software_statement: 'ey…', jwks_uri: null })
    expect(answer).toMatchObject({ status: 201, body: metadata })
    expect(answer.body).not.toHaveProperty('client_secret')
    expect(answer.body).not.toHaveProperty('client_secret_expires_at')
    expect(answer.body).not.toHaveProperty('software_statement')
  })

  it.each([
    ['no address for the code grant', { redirect_uris: undefined }],
    ['an address with a fragment', { redirect_uris: ['https://a.test/#x'] }],
    ['an address that is no URI', { redirect_uris: ['callback'] }],
    ['plain http elsewhere', { redirect_uris: ['http://a.test/callback'] }],
    ['javascript', { redirect_uris: ['javascript:alert(1)'] }],
    ['a loopback address of a web application', { redirect_uris: ['http://localhost/callback'], application_type: 'web' }],
    ['a private-use scheme of a web application', { redirect_uris: ['com.example.app:/callback'], application_type: 'web' }],
    ['addresses that are no list', { redirect_uris: 'https://a.test/callback' }],
    ['an address with a response parameter', { redirect_uris: ['https://a.test/?code=1'] }],
  ])('is refused as invalid_redirect_uri for %s', async (_, metadata) => {
    const { own, token } = await givenToken()
    expect(await post(token, newMetadata(metadata))).toMatchObject(refused('invalid_redirect_uri'))
    expect((await own.owner.get('/v1/admin/clients')).body.total).toBe(0)
  })

  it.each([
    ['an unknown method of authentication', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['a grant that the token does not allow', { grant_types: ['authorization_code', 'password'] }],
    ['a grant of confidential clients without a secret', { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' }],
    ['no grant at all', { grant_types: [] }],
    ['another response type', { response_types: ['code', 'token'] }],
    ['a response type without its grant', { grant_types: ['client_credentials'], response_types: ['code'] }],
    ['a grant without its response type', { response_types: [] }],
    ['a scope that the token does not allow', { scope: 'openid orders:write' }],
    ['a scope that is not supported', { scope: 'address' }],
    ['an algorithm that is not supported', { id_token_signed_response_alg: 'none' }],
    ['pairwise subjects', { subject_type: 'pairwise' }],
    ['an unknown type of application', { application_type: 'browser' }],
    ['keys in two ways', { jwks: { keys: [] }, jwks_uri: 'https://a.test/jwks.json' }],
    ['a name with control characters', { client_name: 'a\u0000b' }],
    ['a name that hides its direction', { client_name: 'a\u202eb' }],
    ['a name that is too long', { client_name: 'a'.repeat(256) }],
    ['a logo that is no web address', { logo_uri: 'data:image/png;base64,AA' }],
    ['a logo that is not https', { logo_uri: 'http://a.test/logo.png' }],
    ['contacts that are no list', { contacts: 'it@example.test' }],
    ['an unsafe address to sign out to', { post_logout_redirect_uris: ['javascript:alert(1)'] }],
  ])('is refused as invalid_client_metadata for %s', async (_, metadata) => {
    const { own, id, token } = await givenToken({ maxUses: 1 })
    const answer = await post(token, newMetadata(metadata))
    expect(answer).toMatchObject(refused('invalid_client_metadata'))
    expect(answer.body.error_description).toMatch(/^[\x20-\x7e]+$/)
    expect((await own.owner.get('/v1/admin/clients')).body.total).toBe(0)
    expect((await own.owner.get('/v1/admin/registration-tokens')).body.data).toMatchObject([{ id, uses: 0 }])
  })

  it.each([
    ['a list', '[]'],
    ['a text', '"x"'],
    ['no JSON', '{'],
    ['a prototype', '{"__proto__": {}}'],
  ])('is refused for a body that is %s', async (_, body) => {
    const { token } = await givenToken()
    expect(await post(token, body)).toMatchObject(refused('invalid_client_metadata'))
  })

  it('is refused for a form, and for a body that is too large', async () => {
    const { token } = await givenToken()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' }
    expect(await service().anonymous.post(registerPath, 'client_name=x', { headers })).toMatchObject(refused('invalid_client_metadata'))
    expect(await post(token, newMetadata({ more: 'x'.repeat(70_000) }))).toMatchObject(refused('invalid_client_metadata', 413))
  })

  it('stays within the addresses that the organisation allows its clients', async () => {
    const { own, id, token } = await givenToken({ maxUses: 1 })
    await own.owner.patch('/v1/admin/organisation', { allowedCallbackUrls: ['https://preview.example.test/callback'] })
    expect(await post(token, newMetadata({ redirect_uris: ['https://other.example.test/'] }))).toMatchObject(
      refused('invalid_redirect_uri'),
    )
    expect((await own.owner.get('/v1/admin/registration-tokens')).body.data).toMatchObject([{ id, uses: 0 }])
    expect(await post(token, newMetadata())).toMatchObject({ status: 201 })
  })

  it('is of the organisation of the token alone', async () => {
    const [{ token }, other] = [await givenToken(), await organisation()]
    const { id } = await registered(service().anonymous, token)
    expect((await other.owner.get(`/v1/admin/clients/${id}`)).status).toBe(404)
  })
})

describe('the token of a registration', () => {
  const challenge = 'Bearer error="invalid_token"'

  it('is needed', async () => {
    const answer = await service().anonymous.post(registerPath, newMetadata())
    expect(answer).toMatchObject(refused('invalid_token', 401))
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="registration"')
  })

  it.each(['rgs_unknown', 'rgt_01kahm3z9n4v7f2t8q6w5r1y0x', 'nothing-like-it'])('is refused if it is %s', async (token) => {
    const answer = await post(token, newMetadata())
    expect(answer).toMatchObject(refused('invalid_token', 401))
    expect(answer.headers.get('www-authenticate')).toContain(challenge)
  })

  it('works until it expires, is ended or used up', async () => {
    const { own, id, token } = await givenToken({ expiresAt: new Date(service().clock.now().getTime() + 60_000).toISOString() })
    const [ended, once] = [await registrationToken(own), await registrationToken(own, { maxUses: 1 })]
    expect(await post(token, newMetadata())).toMatchObject({ status: 201 })

    service().clock.advance({ seconds: 61 })
    expect(await post(token, newMetadata())).toMatchObject(refused('invalid_token', 401))
    await own.owner.delete(`/v1/admin/registration-tokens/${ended.id}`)
    expect(await post(ended.token, newMetadata())).toMatchObject(refused('invalid_token', 401))
    expect(await post(once.token, newMetadata())).toMatchObject({ status: 201 })
    expect(await post(once.token, newMetadata())).toMatchObject(refused('invalid_token', 401))
    expect((await own.owner.get('/v1/admin/registration-tokens')).body.data).toMatchObject([
      { id, uses: 1 },
      { id: once.id, uses: 1 },
    ])
  })

  it('registers no more clients than it may, when twenty ask at once', async () => {
    const { own, token } = await givenToken({ maxUses: 3 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(token, newMetadata())))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(17).fill(401)])
    expect((await own.owner.get('/v1/admin/clients')).body.total).toBe(3)
    expect((await own.owner.get('/v1/admin/registration-tokens')).body.data).toMatchObject([{ uses: 3 }])
  })

  it('registers nothing while the organisation is suspended', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    await service().operator.patch(`/v1/system/organisations/${own.id}/suspend`, { reason: 'Payment overdue' })
    expect(await post(token, newMetadata())).toMatchObject(refused('invalid_token', 401))
    expect(await client.read()).toMatchObject(refused('invalid_token', 401))
    await service().operator.patch(`/v1/system/organisations/${own.id}/activate`)
    expect(await client.read()).toMatchObject({ status: 200 })
  })
})

describe('a registered client', () => {
  it('reads its registration, without its secret', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token)
    const { client_secret: _, ...shown } = client.body
    expect(await client.read()).toMatchObject({ status: 200, body: shown })
    expect((await client.read()).body).toEqual(shown)
  })

  it('replaces it: what it leaves out falls back to the defaults', async () => {
    const { own, token } = await givenToken()
    const metadata = { grant_types: ['authorization_code', 'refresh_token'], contacts: ['it@example.test'], scope: 'openid' }
    const client = await registered(service().anonymous, token, metadata)
    await own.owner.patch(`/v1/admin/clients/${client.id}`, { requireConsent: false, accessTokenLifetime: 600 })

    const replaced = await client.replace(newMetadata({ client_id: client.id, client_name: 'Renamed' }))
    expect(replaced).toMatchObject({ status: 200, body: { client_name: 'Renamed', grant_types: ['authorization_code'] } })
    expect(replaced.body.registration_access_token).toBe(client.accessToken)
    expect(replaced.body).not.toHaveProperty('contacts')
    expect((await client.read()).body).toEqual(replaced.body)
    // What administrators alone decide is not the client's to change.
    const { body } = await own.owner.get(`/v1/admin/clients/${client.id}`)
    expect(body).toMatchObject({ name: 'Renamed', requireConsent: false, accessTokenLifetime: 600 })
    const [entry] = await own.owner.audit({ targetId: client.id, action: 'client.updated' })
    expect(entry).toMatchObject({ actorType: 'client', actorId: client.id, changes: { name: { from: 'Preview', to: 'Renamed' } } })
  })

  it.each([
    ['another client_id', { client_id: 'cli_other' }, 'invalid_client_metadata'],
    ['no client_id', { client_id: undefined }, 'invalid_client_metadata'],
    ['a secret of its choice', { client_secret: 'chosen' }, 'invalid_client_metadata'],
    ['no secret any more', { token_endpoint_auth_method: 'none' }, 'invalid_client_metadata'],
    ['more than its token allows', { scope: 'orders:write' }, 'invalid_client_metadata'],
    ['an unsafe address', { redirect_uris: ['http://a.test/'] }, 'invalid_redirect_uri'],
  ])('cannot replace it with %s', async (_, metadata, error) => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token)
    expect(await client.replace(newMetadata({ client_id: client.id, ...metadata }))).toMatchObject(refused(error))
    const { client_secret: __, ...shown } = client.body
    expect((await client.read()).body).toEqual(shown)
  })

  it('stays within the addresses that the organisation allows its clients by now', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    await own.owner.patch('/v1/admin/organisation', { allowedCallbackUrls: ['https://preview.example.test/callback'] })
    const moved = newMetadata({ client_id: client.id, redirect_uris: ['https://other.example.test/'] })
    expect(await client.replace(moved)).toMatchObject(refused('invalid_redirect_uri'))
    expect((await client.read()).body.redirect_uris).toEqual(client.body.redirect_uris)
    expect(await client.replace(newMetadata({ client_id: client.id }))).toMatchObject({ status: 200 })
  })

  it('may repeat its secret', async () => {
    const { token } = await givenToken()
    const client = await registered(service().anonymous, token)
    expect(await client.replace(client.body)).toMatchObject({ status: 200 })
  })

  it('deletes itself, and its token is worth nothing afterwards', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    expect(await client.remove()).toMatchObject({ status: 204, body: null })
    expect((await own.owner.get(`/v1/admin/clients/${client.id}`)).status).toBe(404)
    for (const answer of [await client.read(), await client.replace(client.body), await client.remove()])
      expect(answer).toMatchObject(refused('invalid_token', 401))
    expect(await own.owner.audit({ targetId: client.id, action: 'client.deleted' })).toMatchObject([{ actorType: 'client' }])
  })

  it('is told nothing with the token of another client, or of one that is revoked', async () => {
    const { own, token } = await givenToken()
    const [one, other] = [await registered(service().anonymous, token), await registered(service().anonymous, token)]
    const { anonymous } = service()
    const { body: byAdmin } = await own.owner.post('/v1/admin/clients', {
      name: 'Portal',
      clientType: 'confidential',
      grantTypes: ['client_credentials'],
    })
    for (const id of [one.id, byAdmin.id, 'cli_unknown'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await anonymous.request(method, `${registerPath}/${id}`, {
          ...bearer(other.accessToken),
          ...(method === 'PUT' && { body: newMetadata({ client_id: id }) }),
        })
        expect(answer).toMatchObject(refused('invalid_token', 401))
      }
    expect(await anonymous.get(one.path)).toMatchObject(refused('invalid_token', 401))
    expect(await anonymous.get(one.path, bearer(token))).toMatchObject(refused('invalid_token', 401))

    await own.owner.post(`/v1/admin/clients/${one.id}/revoke`)
    expect(await one.read()).toMatchObject(refused('invalid_token', 401))
  })

  it('leaves a diagnosis that its administrators find', async () => {
    const { own, token } = await givenToken()
    const client = await registered(service().anonymous, token)
    const { body } = await client.replace(newMetadata({ client_id: client.id, subject_type: 'pairwise' }))
    const reference = /reference ([\w-]+)/.exec(body.error_description)?.[1]
    expect((await own.owner.get(`/v1/admin/diagnostics/${reference}`)).body).toMatchObject({
      ...{ endpoint: 'register', error: 'invalid_client_metadata', clientId: client.id, check: 'registration' },
    })
  })
})

describe('without the extension', () => {
  it('there is no such address, and a token may wait for it', async () => {
    const own = await without().given.organisation()
    const { token } = await registrationToken(own)
    const { anonymous } = without()
    for (const [method, path] of [['POST', registerPath], ...['GET', 'PUT', 'DELETE'].map((name) => [name, `${registerPath}/cli_1`])] as [
      string,
      string,
    ][]) {
      const answer = await anonymous.request(method, path, { ...bearer(token), ...(method.startsWith('P') && { body: '{' }) })
      expect(answer).toMatchObject({ status: 404, body: { code: 'no-such-address' } })
    }
  })
})
