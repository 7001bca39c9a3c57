import { describe, expect, it } from 'vitest'
import { useService } from '../support/service.ts'

const service = useService({ environment: { PKCE_PLAIN: 'deny', ID_TOKEN_SIGNING_ALG: 'RS256' } })

const application = { name: 'Portal', clientType: 'public', redirectUris: ['https://portal.acme.test/callback'] }

describe('an operator who denies plain PKCE and signs with RS256', () => {
  it('gets clients that do so unless they choose the algorithm themselves', async () => {
    const { owner } = await service().given.organisation()

    expect((await owner.post('/v1/admin/clients', application)).body).toMatchObject({
      allowPlainPkce: false,
      idTokenSignedResponseAlg: 'RS256',
    })
    expect((await owner.post('/v1/admin/clients', { ...application, idTokenSignedResponseAlg: 'EdDSA' })).body).toMatchObject({
      idTokenSignedResponseAlg: 'EdDSA',
    })
  })

  it('has no client allow plain PKCE', async () => {
    const { owner } = await service().given.organisation()
    const refusal = { status: 400, body: { errors: [{ path: ['allowPlainPkce'] }] } }

    expect(await owner.post('/v1/admin/clients', { ...application, allowPlainPkce: true })).toMatchObject(refusal)
    const { body: client } = await owner.post('/v1/admin/clients', application)
    expect(await owner.patch(`/v1/admin/clients/${client.id}`, { allowPlainPkce: true })).toMatchObject(refusal)
  })
})
