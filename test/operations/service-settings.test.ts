import { describe, expect, it } from 'vitest'
import { version } from '../../src/platform/version.ts'
import { useService } from '../support/service.ts'

const development = useService()
const production = useService({
  environment: {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://id.example.test',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SMTP_URL: 'smtp://mail.example.test',
    PKCE_PLAIN: 'deny',
    ID_TOKEN_SIGNING_ALG: 'RS256',
    TRIAL_MAX_USERS: '7',
  },
})

describe('GET /v1/service', () => {
  it('tells every session how a development service is set up', async () => {
    const { owner } = await development().given.organisation()
    const member = await development().given.userWith(owner, [])

    expect(await member.get('/v1/service')).toMatchObject({
      status: 200,
      body: {
        version,
        environment: 'development',
        publicUrl: 'http://gatehouse.test',
        issuer: 'http://gatehouse.test',
        languages: ['en', 'de'],
        mail: { delivers: false, inbox: '/dev/mail' },
        sms: true,
        pkcePlain: true,
        trialMaxUsers: 100,
        defaultIdTokenAlg: 'EdDSA',
      },
    })
  })

  it('tells what the operator has decided in production', async () => {
    const { owner } = await production().given.organisation()

    expect((await owner.get('/v1/service')).body).toMatchObject({
      environment: 'production',
      publicUrl: 'https://id.example.test',
      issuer: 'https://id.example.test',
      mail: { delivers: true, inbox: null },
      pkcePlain: false,
      trialMaxUsers: 7,
      defaultIdTokenAlg: 'RS256',
    })
  })

  it('names the issuer and the algorithm that discovery and ID tokens have', async () => {
    const { owner } = await development().given.organisation()
    const { body: discovery } = await owner.get('/.well-known/openid-configuration')

    const { issuer, defaultIdTokenAlg } = (await owner.get('/v1/service')).body
    expect(issuer).toBe(discovery.issuer)
    expect(discovery.id_token_signing_alg_values_supported).toContain(defaultIdTokenAlg)
  })

  it('tells nothing to callers without a session, nor to API keys', async () => {
    const { owner } = await development().given.organisation()
    const { body } = await owner.post('/v1/admin/api-keys', { name: 'Key', permissions: [] })
    const { anonymous } = development()

    expect(await anonymous.get('/v1/service')).toMatchObject({ status: 401 })
    expect(await anonymous.with({ authorization: `Bearer ${body.key}` }).get('/v1/service')).toMatchObject({ status: 401 })
  })
})
