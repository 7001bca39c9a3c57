import { describe, expect, it } from 'vitest'
import { compareWithProfile, fapi2Clauses, holdToProfile, type ProfiledClient } from './profile.ts'

const key = { kty: 'OKP', crv: 'Ed25519', x: 'x' } as const

/** A client as it is without a profile, with keys. */
const usual: ProfiledClient = {
  profile: null,
  origin: 'admin',
  clientType: 'confidential',
  tokenEndpointAuthMethod: 'client_secret_basic',
  tokenEndpointAuthSigningAlg: 'RS256',
  jwks: { keys: [key] },
  jwksUri: null,
  federatedCredentials: null,
  requestObjectSigningAlg: 'RS256',
  redirectUris: ['https://portal.example.test/callback'],
  requirePkce: false,
  allowPlainPkce: true,
  requirePushedAuthorizationRequests: false,
  requireDpop: false,
  certificateBoundAccessTokens: false,
  authorizationCodeTtl: 600,
  idTokenSignedResponseAlg: 'RS256',
  introspectionSignedResponseAlg: 'RS256',
}
const forced = {
  tokenEndpointAuthMethod: 'private_key_jwt',
  tokenEndpointAuthSigningAlg: null,
  requestObjectSigningAlg: null,
  requirePkce: true,
  allowPlainPkce: false,
  requirePushedAuthorizationRequests: true,
  requireDpop: true,
  authorizationCodeTtl: 60,
  idTokenSignedResponseAlg: 'EdDSA',
  introspectionSignedResponseAlg: null,
}
const held: ProfiledClient = { ...usual, ...forced, profile: 'fapi2' } as ProfiledClient

describe('a client that is given the profile', () => {
  it('has everything set that the profile demands', () => {
    expect(holdToProfile(usual, { profile: 'fapi2' })).toEqual({ forced, mistakes: [] })
  })

  it('keeps what is within the profile', () => {
    const within = { authorizationCodeTtl: 30, tokenEndpointAuthSigningAlg: 'ES256', requestObjectSigningAlg: 'PS256' } as const
    expect(holdToProfile({ ...usual, ...within }, { profile: 'fapi2' })).toMatchObject({ forced: within, mistakes: [] })
  })

  it('may authenticate by a certificate, and bind its tokens to that', () => {
    for (const tokenEndpointAuthMethod of ['tls_client_auth', 'self_signed_tls_client_auth'] as const) {
      const byCertificate = { tokenEndpointAuthMethod, certificateBoundAccessTokens: true, jwks: null } as const
      const set = { ...forced, tokenEndpointAuthMethod, requireDpop: false }
      expect(holdToProfile({ ...usual, ...byCertificate }, { profile: 'fapi2' })).toEqual({ forced: set, mistakes: [] })
      expect(holdToProfile(usual, { profile: 'fapi2', ...byCertificate }).mistakes).toEqual([])
      const client: ProfiledClient = { ...held, ...byCertificate, requireDpop: false }
      expect(holdToProfile(client, { certificateBoundAccessTokens: false }).mistakes).toMatchObject([{ path: ['requireDpop'] }])
      // Without bound tokens the key has to be proven.
      const { mistakes } = holdToProfile({ ...usual, tokenEndpointAuthMethod, jwks: null }, { profile: 'fapi2' })
      expect(mistakes).toEqual([])
    }
  })

  it.each([
    ['requireDpop', false, '5.3.2.1-5'],
    ['tokenEndpointAuthMethod', 'client_secret_basic', '5.3.2.1-6'],
    ['tokenEndpointAuthMethod', 'client_secret_post', '5.3.2.1-6'],
    ['tokenEndpointAuthMethod', 'none', '5.3.2.1-6'],
    ['authorizationCodeTtl', 61, '5.3.2.1-11'],
    ['requirePushedAuthorizationRequests', false, '5.3.2.2-3'],
    ['requirePkce', false, '5.3.2.2-5'],
    ['allowPlainPkce', true, '5.3.2.2-5'],
    ['tokenEndpointAuthSigningAlg', 'RS256', '5.4.1-2'],
    ['requestObjectSigningAlg', 'RS256', '5.4.1-2'],
    ['idTokenSignedResponseAlg', 'RS256', '5.4.1-2'],
    ['introspectionSignedResponseAlg', 'RS256', '5.4.1-2'],
    ['jwks', null, '5.3.2.1-6'],
    ['jwks', { keys: [{ ...key, alg: 'RS256' }] }, '5.3.2.1-6'],
  ] as const)('is refused when %s is to be %j, then and later', (field, value, clause) => {
    const mistakes = [expect.objectContaining({ path: [field], clause })]
    expect(holdToProfile(usual, { profile: 'fapi2', [field]: value }).mistakes).toEqual(mistakes)
    expect(holdToProfile(held, { [field]: value })).toEqual({ forced: {}, mistakes })
    expect(holdToProfile(held, { [field]: value, profile: null })).toEqual({ forced: {}, mistakes: [] })
  })

  it.each([
    ['https://portal.example.test/callback', true],
    ['http://127.0.0.1/callback', true],
    ['http://[::1]/callback', true],
    ['com.example.app:/callback', false],
    ['http://portal.example.test/callback', false],
  ])('may be redirected to %s: %s', (uri, isAllowed) => {
    const { mistakes } = holdToProfile(usual, { profile: 'fapi2', redirectUris: ['https://other.example.test/', uri] })
    expect(mistakes.map(({ path, clause }) => [path, clause])).toEqual(isAllowed ? [] : [[['redirectUris', 1], '5.3.2.2-8']])
  })

  it('has been registered by an administrator, as a confidential one', () => {
    const paths = (client: Partial<ProfiledClient>) =>
      holdToProfile({ ...usual, ...client }, { profile: 'fapi2' }).mistakes.map(({ path, clause }) => [path, clause])
    expect(paths({ origin: 'registration' })).toEqual([[['profile'], null]])
    expect(paths({ clientType: 'public' })).toEqual([[['profile'], '5.3.2.1-3']])
  })
})

describe('without the profile', () => {
  it('nothing is set, and nothing refused', () => {
    expect(holdToProfile(usual, {})).toEqual({ forced: {}, mistakes: [] })
    expect(holdToProfile(held, { profile: null })).toEqual({ forced: {}, mistakes: [] })
  })
})

describe('the comparison', () => {
  const now = new Date('2026-11-28T12:00:00Z')
  const compare = (client: ProfiledClient) => compareWithProfile({ ...client, lastUsedAt: null, secretLastUsedAt: null }, now)

  it('agrees with what is refused', () => {
    expect(compare(held).clauses.map(({ isMet }) => isMet)).toEqual(fapi2Clauses.map(() => true))
    const unmet = compare(usual).clauses.filter(({ isMet }) => !isMet)
    expect(unmet.map(({ field }) => field).toSorted()).toEqual(Object.keys(forced).toSorted())
    expect(unmet.every(({ isSetByProfile }) => isSetByProfile)).toBe(true)
  })

  it('tells of the use within seven days', () => {
    const used = (lastUsedAt: string, secretLastUsedAt: string) =>
      compareWithProfile({ ...usual, lastUsedAt: new Date(lastUsedAt), secretLastUsedAt: new Date(secretLastUsedAt) }, now)
    expect(used('2026-11-28T11:00:00Z', '2026-11-22T12:00:00Z')).toMatchObject({ isInUse: true, usesSecret: true })
    expect(used('2026-11-21T12:00:01Z', '2026-11-21T11:59:59Z')).toMatchObject({ isInUse: true, usesSecret: false })
    expect(used('2026-11-21T11:59:59Z', '2026-11-21T11:59:59Z')).toMatchObject({ isInUse: false, usesSecret: false })
  })
})
