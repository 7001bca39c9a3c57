import { describe, expect, it } from 'vitest'
import { type Kind, registrationOf } from './framework.ts'
import { frameworks, hasCode, proposedRedirectUri } from './frameworks.ts'
import { openidClient } from './openid-client.ts'
import { isDevice, kindOf, proofOf } from './registered.ts'

describe('the redirect URI that is proposed', () => {
  it.each([
    ['https://login.example.com', 'http://localhost:3000/callback'],
    ['http://localhost:4000', 'http://localhost:3000/callback'],
    ['http://localhost:3000', 'http://localhost:3001/callback'],
    ['http://127.0.0.1:3000', 'http://localhost:3001/callback'],
  ])('at %s is %s, where this service does not listen itself', (service, proposed) => {
    expect(proposedRedirectUri(openidClient, service)).toBe(proposed)
  })

  it('is nothing for what has none, and never that of the service', () => {
    expect(proposedRedirectUri(undefined, 'http://localhost:3000')).toBe('')
    for (const framework of frameworks)
      expect(proposedRedirectUri(framework, 'http://localhost:3000')).not.toMatch(/^http:\/\/(localhost|127\.0\.0\.1):3000\b/)
  })
})

describe('an application', () => {
  const service = registrationOf.service
  const device = { ...registrationOf.native, grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] }

  it('is offered the code of its kind', () => {
    for (const kind of Object.keys(registrationOf) as Kind[]) expect([kind, hasCode(kind, registrationOf[kind])]).toEqual([kind, true])
  })

  it.each([
    ['proves itself by a signature, such as the token of its platform', { ...service, tokenEndpointAuthMethod: 'private_key_jwt' }],
    ['proves itself by a certificate', { ...service, tokenEndpointAuthMethod: 'tls_client_auth' }],
    ['is a device', device],
    ['has no grant that the code uses', { ...service, grantTypes: [] }],
  ])('is offered no code with a secret when it %s', (_, client) => {
    expect(hasCode(kindOf({ ...client, redirectUris: [], profile: null }), client)).toBe(false)
  })

  it('is called by how it proves itself, and a device a device', () => {
    expect(
      ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt', 'self_signed_tls_client_auth'].map((method) =>
        proofOf({ tokenEndpointAuthMethod: method }),
      ),
    ).toEqual(['nothing', 'secret', 'secret', 'signature', 'certificate'])
    expect([isDevice(device), isDevice(service), isDevice(registrationOf.native)]).toEqual([true, false, false])
  })
})
