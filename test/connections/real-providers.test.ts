import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUpstream } from '../../src/connections/upstream/upstream.ts'
import { oidcProvider } from '../support/oidc-provider.ts'

const redirectUri = 'https://gatehouse.example.test/federation/conn_1/callback'
const expected = { state: 'state-of-the-request', nonce: 'nonce-of-the-request', verifier: 'v'.repeat(43) }

describe('npm oidc-provider', () => {
  let provider: Awaited<ReturnType<typeof oidcProvider>>
  beforeAll(async () => {
    provider = await oidcProvider({ redirect_uris: [redirectUri] })
  })
  afterAll(() => provider.close())

  it('signs a user in, and gives the address at its UserInfo endpoint', async () => {
    const upstream = createUpstream({ fetch: (url, init) => fetch(url, init), clock: { now: () => new Date() } })
    const configuration = {
      issuer: provider.issuer,
      clientId: 'gatehouse',
      clientAuthentication: 'client_secret_basic',
      emailTrust: 'verified_claim',
    } as const
    const settings = { provider: 'oidc', configuration, secrets: ['secret'], redirectUri, verifiedDomains: [] } as const

    const url = await upstream.authorizationUrlOf(settings, { ...expected, maxAge: 3_600 })
    const back = await provider.visit(url.href)
    const identity = await upstream.identityFrom(settings, back.searchParams, { ...expected, maxAge: 3_600 })

    expect(identity).toMatchObject({ subject: 'account-1', email: 'ada@example.com', emailIsProven: true })
    // It advertises the issuer in its responses (RFC 9207).
    expect(identity.checks).toContainEqual({
      code: 'response_issuer',
      name: 'iss of the response',
      expected: provider.issuer,
      received: provider.issuer,
      phrases: { expected: null, received: null },
      passed: true,
    })
  })
})
