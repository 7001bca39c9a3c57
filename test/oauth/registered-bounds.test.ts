import { describe, expect, it } from 'vitest'
import { newMetadata, registered, registrationToken } from '../support/registration.ts'
import { useService } from '../support/service.ts'

const service = useService({ environment: { OAUTH_EXTENSIONS: 'dynamic_registration' } })
const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
const refused = { status: 400, body: { error: 'invalid_client_metadata', error_description: expect.any(String) } }

/** A client that has registered by a token, as its administrators see it. */
async function givenClient(metadata: Record<string, unknown> = {}) {
  const own = await service().given.organisation()
  const token = await registrationToken(own, { allowedGrantTypes: grantTypes, allowedScopes: ['orders:read', 'orders:write'] })
  const client = await registered(service().anonymous, token.token, metadata)
  const path = `/v1/admin/clients/${client.id}`
  return {
    own,
    token,
    put: (sent: Record<string, unknown> = {}) => client.replace(newMetadata({ client_id: client.id, ...sent })),
    change: async (settings: Record<string, unknown>) => expect(await own.owner.patch(path, settings)).toMatchObject({ status: 200 }),
    settings: async () => (await own.owner.get(path)).body,
  }
}

describe('a registered client', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['all its scopes', { scopes: [] }, { scope: 'orders:read' }],
    ['one of its scopes', { scopes: ['orders:read'] }, { scope: 'orders:read orders:write' }],
    ['one of its grants', { grantTypes: ['authorization_code'] }, { grant_types: ['authorization_code', 'refresh_token'] }],
  ])('does not take back %s, however often it is replaced', async (_, left, taken) => {
    const client = await givenClient({ grant_types: grantTypes })
    await client.change(left)
    expect(await client.put(taken)).toMatchObject(refused)
    for (const _again of [1, 2]) {
      expect(await client.put()).toMatchObject({ status: 200 })
      expect(await client.put(taken)).toMatchObject(refused)
    }
    expect(await client.settings()).toMatchObject(left)
  })

  it('takes less than an administrator has left to it, and that again', async () => {
    const client = await givenClient()
    await client.change({ scopes: ['orders:read'] })
    expect(await client.put({ scope: 'openid' })).toMatchObject({ status: 200 })
    expect((await client.settings()).scopes).toEqual([])
    expect(await client.put({ scope: 'openid orders:read' })).toMatchObject({ status: 200 })
    expect((await client.settings()).scopes).toEqual(['orders:read'])
  })

  it('has again what an administrator gives back', async () => {
    const client = await givenClient()
    await client.change({ scopes: [] })
    expect(await client.put()).toMatchObject({ status: 200 })
    await client.change({ scopes: ['orders:read', 'orders:write'] })
    for (const scope of ['openid', 'openid orders:read orders:write', 'openid orders:write'])
      expect(await client.put({ scope })).toMatchObject({ status: 200, body: { scope } })
  })

  it('keeps what an administrator has given to it beyond its token', async () => {
    const client = await givenClient({ scope: 'openid' })
    await client.change({ scopes: ['reports:read'] })
    for (const _again of [1, 2]) expect(await client.put({ scope: 'reports:read' })).toMatchObject({ status: 200 })
    expect((await client.settings()).scopes).toEqual(['reports:read'])
  })

  it('registers for more of what its token allows, also after the token has ended', async () => {
    const client = await givenClient({ scope: 'openid' })
    await client.own.owner.delete(`/v1/admin/registration-tokens/${client.token.id}`)
    const more = { scope: 'openid orders:read', grant_types: ['authorization_code', 'refresh_token'] }
    expect(await client.put(more)).toMatchObject({ status: 200, body: { scope: 'openid orders:read' } })
    expect(await client.settings()).toMatchObject({ scopes: ['orders:read'], grantTypes: more.grant_types })
  })
})
