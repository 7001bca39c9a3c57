import { describe, expect, it } from 'vitest'
import { assertionOf, byAssertion, clientKey } from '../support/client-keys.ts'
import { givenApplication, postForm } from '../support/oauth.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'private_key_jwt' } })
const without = useService()
const byKey = { name: 'Robot', clientType: 'confidential', tokenEndpointAuthMethod: 'private_key_jwt', grantTypes: ['client_credentials'] }

describe('the keys of a client', () => {
  it('are stored as they were sent, without what is not used', async () => {
    const { owner } = await service().given.organisation()
    const { publicKey } = await clientKey('ES256', 'own')
    const sent = { ...byKey, jwks: { keys: [{ ...publicKey, x5t: 'unused' }] }, tokenEndpointAuthSigningAlg: 'ES256' }
    const { status, body } = await owner.post('/v1/admin/clients', sent)
    const keys = { jwks: { keys: [publicKey] }, jwksUri: null, tokenEndpointAuthSigningAlg: 'ES256' }
    expect({ status, body }).toMatchObject({ status: 201, body: { ...keys, clientSecret: null, secret: null } })
    expect((await owner.get(`/v1/admin/clients/${body.id}`)).body).toMatchObject(keys)
    const moved = await owner.patch(`/v1/admin/clients/${body.id}`, { jwks: null, jwksUri: 'https://portal.acme.test/jwks.json' })
    expect(moved).toMatchObject({ status: 200, body: { jwks: null, jwksUri: 'https://portal.acme.test/jwks.json' } })
  })

  it('are refused when they are private, too weak, of another kind, unreadable or too many', async () => {
    const { owner } = await service().given.organisation()
    const good = await clientKey('ES256', 'own')
    const { publicKey: rsa } = await clientKey('RS256', 'rsa')
    const other = await clientKey('ES384')
    const weak = 'wz2qvyTDkqZkZ0mCgoYx2v0kQpGM5uJ5Jt5dOcfWmJ3SxXxCDMfsSjQzQvGmYV1bVfyz0eSfCqUxnRoJoXbE6Q8v0m7Yz6ZxGQhY7xkZ5y8'
    const rows = [
      [good.whole, ['d'], 'key-is-private'],
      [{ kty: 'oct', k: 'c2VjcmV0' }, ['kty'], undefined],
      [other.publicKey, ['crv'], 'key-type-not-supported'],
      [{ ...rsa, n: weak }, ['n'], 'key-size-not-supported'],
      [{ ...good.publicKey, x: good.publicKey.y }, [], 'key-unreadable'],
      [{ ...good.publicKey, use: 'enc' }, ['use'], 'key-not-for-signatures'],
      [{ ...good.publicKey, alg: 'RS256' }, ['alg'], 'key-algorithm-not-supported'],
      [{ ...good.publicKey, alg: 'HS256' }, ['alg'], 'key-algorithm-not-supported'],
    ] as const
    for (const [key, path, reason] of rows) {
      const { status, body } = await owner.post('/v1/admin/clients', { ...byKey, jwks: { keys: [key] } })
      expect({ status, errors: body.errors }).toMatchObject({
        status: 400,
        errors: [{ path: ['jwks', 'keys', 0, ...path], ...(reason && { reason }) }],
      })
    }
    const many = { keys: Array.from({ length: 21 }, () => good.publicKey) }
    expect(await owner.post('/v1/admin/clients', { ...byKey, jwks: many })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['jwks', 'keys'] }] },
    })
    expect((await owner.get('/v1/admin/clients')).body.total).toBe(0)
  })

  it('are in one place, and there when the client authenticates by one', async () => {
    const { owner } = await service().given.organisation()
    const { publicKey } = await clientKey('ES256', 'own')
    const jwks = { keys: [publicKey] }
    const jwksUri = 'https://portal.acme.test/jwks.json'
    const refused = (reason: string, field: string) => ({ status: 400, body: { errors: [{ path: [field], reason }] } })
    const post = (fields: object) => owner.post('/v1/admin/clients', { ...byKey, ...fields })
    expect(await post({})).toMatchObject(refused('client-keys-missing', 'jwks'))
    expect(await post({ jwks, jwksUri })).toMatchObject(refused('client-keys-in-two-places', 'jwksUri'))
    expect(await post({ jwksUri: 'http://portal.acme.test/jwks.json' })).toMatchObject(refused('url-not-https', 'jwksUri'))
    expect(await post({ jwksUri: 'https://10.0.0.1/jwks.json' })).toMatchObject(refused('client-keys-address-not-allowed', 'jwksUri'))
    expect(await post({ clientType: 'public', grantTypes: ['refresh_token'], jwks })).toMatchObject(
      refused('public-client-without-secret', 'tokenEndpointAuthMethod'),
    )
  })

  it('replace the secret, which is not accepted meanwhile, and needed to change back', async () => {
    const key = await clientKey('ES256', 'own')
    const app = await givenApplication(service(), { grantTypes: ['client_credentials'], redirectUris: [] })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`
    const method = (tokenEndpointAuthMethod: string, fields = {}) => owner.patch(path, { tokenEndpointAuthMethod, ...fields })
    expect(await method('private_key_jwt', { jwks: { keys: [key.publicKey] } })).toMatchObject({ status: 200, body: { secret: null } })
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject({ status: 401 })
    const form = { grant_type: 'client_credentials', ...byAssertion(await assertionOf(service(), app, key)) }
    expect(await postForm(service().anonymous, '/oauth2/token', form)).toMatchObject({ status: 200 })
    expect(await method('client_secret_basic')).toMatchObject({ status: 200, body: { secret: { lastUsedAt: null } } })
    expect(await app.token({ grant_type: 'client_credentials' })).toMatchObject({ status: 200 })

    const robot = await owner.post('/v1/admin/clients', { ...byKey, jwks: { keys: [key.publicKey] } })
    const robotPath = `/v1/admin/clients/${robot.body.id}`
    const back = { tokenEndpointAuthMethod: 'client_secret_post' }
    expect(await owner.patch(robotPath, back)).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['tokenEndpointAuthMethod'], reason: 'client-secret-missing' }] },
    })
    expect(await owner.post(`${robotPath}/rotate-secret`, {})).toMatchObject({ status: 200, body: { clientSecret: expect.any(String) } })
    expect(await owner.patch(robotPath, back)).toMatchObject({ status: 200 })
  })

  it('need the extension', async () => {
    const { owner } = await without().given.organisation()
    const { publicKey } = await clientKey('ES256', 'own')
    const needed = (field: string) => ({
      status: 400,
      body: { errors: [{ code: 'custom', path: [field], message: 'Needs OAUTH_EXTENSIONS to hold private_key_jwt' }] },
    })
    const post = (fields: object) =>
      owner.post('/v1/admin/clients', { name: 'Robot', clientType: 'confidential', grantTypes: ['client_credentials'], ...fields })
    expect(await post({ jwks: { keys: [publicKey] } })).toMatchObject(needed('jwks'))
    expect(await post({ jwksUri: 'https://portal.acme.test/jwks.json' })).toMatchObject(needed('jwksUri'))
    expect(await post({ tokenEndpointAuthSigningAlg: 'ES256' })).toMatchObject(needed('tokenEndpointAuthSigningAlg'))
    expect(await post({ tokenEndpointAuthMethod: 'private_key_jwt' })).toMatchObject(needed('tokenEndpointAuthMethod'))
  })

  it('are among the changes in the audit log, which can be read by application', async () => {
    const { owner } = await service().given.organisation()
    const { publicKey } = await clientKey('ES256', 'own')
    const { body } = await owner.post('/v1/admin/clients', { ...byKey, jwks: { keys: [publicKey] } })
    await owner.post('/v1/admin/clients', { ...byKey, name: 'Other', jwks: { keys: [publicKey] } })
    const entries = await owner.get(`/v1/admin/audit-logs?clientId=${body.id}`)
    expect(entries.body.data).toMatchObject([{ action: 'client.created', targetId: body.id }])
  })
})
