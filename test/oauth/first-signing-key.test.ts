import { afterEach, describe, expect, it } from 'vitest'
import { givenApplication } from '../support/oauth.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService | undefined
afterEach(() => service?.stop())

const algorithms = async ({ anonymous }: TestService) =>
  (await anonymous.get('/oauth2/jwks.json')).body.keys.map(({ alg }: { alg: string }) => alg)

describe('the first key of an algorithm', () => {
  it('exists from the start for the default algorithm', async () => {
    service = await startTestService({ environment: { ID_TOKEN_SIGNING_ALG: 'RS256' } })
    expect(await algorithms(service)).toEqual(['EdDSA', 'RS256'])
  })

  it.each([
    ['any client may have introspection signed by it', 'jwt_introspection'],
    ['clients introduce themselves by documents, whose ID tokens it signs', 'client_metadata_documents,resource_indicators'],
  ])('exists from the start where %s', async (_, extensions) => {
    service = await startTestService({ environment: { OAUTH_EXTENSIONS: extensions } })
    expect(await algorithms(service)).toEqual(['EdDSA', 'RS256'])
  })

  it('is created once, when a client that needs it is registered', async () => {
    service = await startTestService()
    expect(await algorithms(service)).toEqual(['EdDSA'])
    const app = await givenApplication(service)
    expect(await algorithms(service)).toEqual(['EdDSA'])
    await Promise.all([1, 2, 3].map(() => givenApplication(service as TestService, { idTokenSignedResponseAlg: 'RS256' })))
    expect(await algorithms(service)).toEqual(['EdDSA', 'RS256'])
    expect(await app.signIn({ scope: 'openid' })).toHaveProperty('id_token')
  })

  it('is created when a client is changed to need it', async () => {
    service = await startTestService()
    const app = await givenApplication(service)
    const change = (fields: object) => app.organisation.owner.patch(`/v1/admin/clients/${app.id}`, fields)
    expect(await change({ idTokenSignedResponseAlg: 'RS256', grantTypes: [] })).toMatchObject({ status: 400 })
    expect(await algorithms(service)).toEqual(['EdDSA'])
    expect(await change({ idTokenSignedResponseAlg: 'RS256' })).toMatchObject({ status: 200 })
    expect(await algorithms(service)).toEqual(['EdDSA', 'RS256'])
  })
})
