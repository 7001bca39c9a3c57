import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { basic, claimsOf, givenApplication, headerOf } from '../support/oauth.ts'
import { newResourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('an empty client secret', () => {
  it('in the header of a public client is no secret: the client_id counts alone', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const { code, verifier } = await app.code({ scope: 'openid offline_access' })
    const header = { authorization: basic(app.id, '') }
    const redeeming = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      client_id: undefined,
    }

    const tokens = await app.token(redeeming, header)

    expect(tokens).toMatchObject({ status: 200, body: { refresh_token: expect.any(String) } })
    const refreshing = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token, client_id: undefined }
    const refreshed = await app.token(refreshing, header)
    expect(refreshed.status).toBe(200)
    const revoking = { token: refreshed.body.refresh_token, client_id: undefined }
    expect(await app.post('/oauth2/revoke', revoking, header)).toMatchObject({ status: 200 })
    expect(await app.refresh(refreshed.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('does not authenticate a confidential client, and does not use its code up', async () => {
    const app = await givenApplication(service())
    const { code, verifier } = await app.code({ scope: 'openid' })
    const redeeming = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, code_verifier: verifier }

    const refused = { status: 401, body: { error: 'invalid_client' } }
    expect(await app.token(redeeming, { authorization: basic(app.id, '') })).toMatchObject(refused)
    expect(await app.token({ ...redeeming, client_id: app.id, client_secret: '' }, {})).toMatchObject(refused)
    expect(await app.redeem(code, verifier)).toMatchObject({ status: 200 })
  })

  it('beside a secret in the body, or for another client_id, is still two ways to say who the client is', async () => {
    const app = await givenApplication(service(), { clientType: 'public' })
    const header = { authorization: basic(app.id, '') }
    for (const other of [{ client_secret: 'a secret' }, { client_id: 'cli_another' }]) {
      const form = { grant_type: 'refresh_token', refresh_token: 'rt_x', ...other }
      expect(await app.token(form, header)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    }
  })
})

describe('EdDSA and Ed25519', () => {
  it('name one algorithm wherever a client names it, and tokens say EdDSA', async () => {
    const app = await givenApplication(service(), { idTokenSignedResponseAlg: 'Ed25519' })
    const { owner } = app.organisation
    const path = `/v1/admin/clients/${app.id}`

    expect((await owner.get(path)).body.idTokenSignedResponseAlg).toBe('EdDSA')
    expect(headerOf((await app.signIn({ scope: 'openid' })).id_token).alg).toBe('EdDSA')
    const { updatedAt } = (await owner.get(path)).body
    expect((await owner.patch(path, { idTokenSignedResponseAlg: 'Ed25519' })).body).toMatchObject({
      idTokenSignedResponseAlg: 'EdDSA',
      updatedAt,
    })
    await owner.patch(path, { idTokenSignedResponseAlg: 'RS256' })
    expect((await owner.patch(path, { idTokenSignedResponseAlg: 'Ed25519' })).body).toMatchObject({ idTokenSignedResponseAlg: 'EdDSA' })
    expect(await owner.patch(path, { idTokenSignedResponseAlg: 'Ed448' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: ['idTokenSignedResponseAlg'] }] },
    })
  })

  it('name one algorithm for the tokens of an API, too', async () => {
    const { owner } = await service().given.organisation()
    const created = await owner.post('/v1/admin/resource-servers', newResourceServer({ accessTokenSigningAlg: 'Ed25519' }))
    expect(created).toMatchObject({ status: 201, body: { accessTokenSigningAlg: 'EdDSA' } })
    const path = `/v1/admin/resource-servers/${created.body.id}`
    const { updatedAt } = created.body
    expect((await owner.patch(path, { accessTokenSigningAlg: 'Ed25519' })).body).toMatchObject({
      accessTokenSigningAlg: 'EdDSA',
      updatedAt,
    })
    await owner.patch(path, { accessTokenSigningAlg: 'RS256' })
    expect((await owner.patch(path, { accessTokenSigningAlg: 'Ed25519' })).body).toMatchObject({ accessTokenSigningAlg: 'EdDSA' })
  })

  it('are one in a document of configuration, too: it changes nothing by the other name', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const { body } = await owner.get('/v1/admin/configuration')
    const [key = ''] = Object.keys(body.clients)
    const document = { clients: { [key]: { ...body.clients[key], idTokenSignedResponseAlg: 'Ed25519' } } }

    expect((await owner.post('/v1/admin/configuration/plan', { document })).body).toMatchObject({ changes: [] })
  })
})

describe('an ID token of the code flow', () => {
  it.each([
    ['EdDSA', 'sha512'],
    ['RS256', 'sha256'],
  ])(
    'signed with %s carries the at_hash of the access token, at redemption and at refresh',
    async (idTokenSignedResponseAlg, algorithm) => {
      const app = await givenApplication(service(), { idTokenSignedResponseAlg })
      const first = await app.signIn({ scope: 'openid offline_access' })
      const second = (await app.refresh(first.refresh_token)).body

      for (const { access_token, id_token } of [first, second]) {
        const digest = createHash(algorithm).update(access_token, 'ascii').digest()
        expect(claimsOf(id_token).at_hash).toBe(digest.subarray(0, digest.length / 2).toString('base64url'))
      }
    },
  )
})
