import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redirectUriMistake } from '../organisations/rules.ts'
import { effectiveLifetimes } from '../tokens/lifetimes.ts'
import {
  clientMistakes,
  customScopesOf,
  initiateLoginUriMistake,
  parametersOfResponses,
  responseUriMistake,
  scopeMistake,
} from './rules.ts'

describe('a redirect URI', () => {
  it.each([
    'https://portal.acme.test/callback',
    'https://portal.acme.test:8443/callback?tenant=1',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/callback',
    'com.example.app:/oauth2redirect',
    'com.example.app://callback',
  ])('may be %s', (uri) => {
    expect(redirectUriMistake(uri)).toBeUndefined()
  })

  it.each([
    ['relative', '/callback'],
    ['without a scheme', '//portal.acme.test/callback'],
    ['with a fragment', 'https://portal.acme.test/callback#a'],
    ['with an empty fragment', 'https://portal.acme.test/callback#'],
    ['of plain http', 'http://portal.acme.test/callback'],
    ['of plain http to a host that only looks like loopback', 'http://localhost.evil.test/callback'],
    ['a script', 'javascript:alert(1)'],
    ['a script in capitals', 'JavaScript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['of a scheme that is no domain name', 'myapp://callback'],
    ['a file', 'file:///etc/passwd'],
    ['with a wildcard for its host', 'https://*.acme.test/callback'],
    ['with a user name', 'https://portal.acme.test@evil.test/callback'],
    ['with a space', 'https://portal.acme.test/call back'],
    ['with a line break that parsers drop', 'java\nscript:alert(1)'],
    ['with a backslash', 'https://portal.acme.test\\@evil.test/'],
    ['https without a host', 'https:callback'],
    ['empty', ''],
  ])('may not be %s', (_, uri) => {
    expect(redirectUriMistake(uri)).toEqual(expect.any(String))
  })

  it.each(parametersOfResponses.authorization)('may not have %s in its query, which responses add', (name) => {
    const mistakeOf = (uri: string) => responseUriMistake(uri, parametersOfResponses.authorization)
    expect(mistakeOf(`https://portal.acme.test/callback?tenant=1&${name}=x`)).toContain(name)
    expect(mistakeOf(`com.example.app:/callback?${name}`)).toContain(name)
    expect(mistakeOf(`https://portal.acme.test/callback?tenant=1&my_${name}=x`)).toBeUndefined()
  })

  it('never runs code, whatever follows the scheme', () => {
    const script = fc.constantFrom('javascript', 'data', 'vbscript', 'blob', 'file', 'about')
    fc.assert(
      fc.property(script, fc.string(), (scheme, rest) => {
        expect(redirectUriMistake(`${scheme}:${rest}`)).toEqual(expect.any(String))
      }),
    )
  })
})

describe('a URI that starts a sign-in', () => {
  it.each(['https://portal.acme.test/login', 'https://portal.acme.test/login?tenant=1', 'http://localhost:3000/login'])(
    'may be %s',
    (uri) => {
      expect(initiateLoginUriMistake(uri)).toBeUndefined()
    },
  )

  it.each(['com.example.app:/login', 'http://portal.acme.test/login', 'javascript:alert(1)', 'https://portal.acme.test/login#a', ''])(
    'may not be %s',
    (uri) => {
      expect(initiateLoginUriMistake(uri)).toEqual(expect.any(String))
    },
  )
})

describe('a custom scope', () => {
  it.each(['orders:read', 'https://api.acme.test/orders', '!'])('may be %s', (scope) => {
    expect(scopeMistake(scope)).toBeUndefined()
  })

  it.each(['address', 'two words', 'quo"te', 'back\\slash', 'café', ''])('may not be %s', (scope) => {
    expect(scopeMistake(scope)).toEqual(expect.any(String))
  })
})

describe('the custom scopes of a client', () => {
  it('are all but those that every client may request', () => {
    expect(customScopesOf(['openid', 'orders:read', 'profile', 'email', 'phone', 'offline_access'])).toEqual(['orders:read'])
  })
})

describe('a client as a whole', () => {
  const confidential = {
    isActive: true,
    clientType: 'confidential',
    tokenEndpointAuthMethod: 'client_secret_basic',
    jwks: null,
    jwksUri: null,
    tlsClientAuth: null,
    requirePkce: true,
    grantTypes: ['authorization_code'],
    redirectUris: ['https://portal.acme.test/callback'],
  } as const
  const grants = [
    { grantType: 'authorization_code', forPublicClients: true },
    { grantType: 'client_credentials', forPublicClients: false },
  ]
  const open = { ...confidential, clientType: 'public', tokenEndpointAuthMethod: 'none' } as const

  it.each([
    ['a public client with a secret method', { ...open, tokenEndpointAuthMethod: 'client_secret_post' }, 'tokenEndpointAuthMethod'],
    ['a public client without PKCE', { ...open, requirePkce: false }, 'requirePkce'],
    ['a public client with client_credentials', { ...open, grantTypes: ['client_credentials'] }, 'grantTypes'],
    ['a confidential client that does not authenticate', { ...confidential, tokenEndpointAuthMethod: 'none' }, 'tokenEndpointAuthMethod'],
    ['a client that authenticates by a key that it does not have', { ...confidential, tokenEndpointAuthMethod: 'private_key_jwt' }, 'jwks'],
    ['a client whose certificate has no key', { ...confidential, tokenEndpointAuthMethod: 'self_signed_tls_client_auth' }, 'jwks'],
    ['a client whose certificate has no name', { ...confidential, tokenEndpointAuthMethod: 'tls_client_auth' }, 'tlsClientAuth'],
    ['a client with keys in two places', { ...confidential, jwks: { keys: [] }, jwksUri: 'https://portal.acme.test/jwks.json' }, 'jwksUri'],
    ['authorization_code without redirect URIs', { ...confidential, redirectUris: [] }, 'redirectUris'],
  ] as const)('is not %s', (_, client, field) => {
    expect(clientMistakes(client, grants)).toEqual([expect.objectContaining({ path: [field] })])
  })

  it('may omit PKCE and redirect URIs when there is no redirect', () => {
    expect(clientMistakes(open, grants)).toEqual([])
    expect(clientMistakes({ ...confidential, requirePkce: false }, grants)).toEqual([])
    expect(clientMistakes({ ...confidential, grantTypes: ['client_credentials'], redirectUris: [] }, grants)).toEqual([])
  })

  it('may lack its redirect URI while it is inactive, and fits in all else', () => {
    expect(clientMistakes({ ...confidential, isActive: false, redirectUris: [] }, grants)).toEqual([])
    expect(clientMistakes({ ...open, isActive: false, requirePkce: false }, grants)).toEqual([
      expect.objectContaining({ path: ['requirePkce'] }),
    ])
  })
})

describe('a lifetime', () => {
  const none = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime: null, idTokenLifetime: null }

  it("is the client's own, else the organisation's, else the default", () => {
    const policy = { accessTokenSeconds: 900, refreshTokenSeconds: undefined, refreshTokenAbsoluteSeconds: 86_400, idTokenSeconds: 600 }
    expect(effectiveLifetimes({ ...none, idTokenLifetime: 60 }, policy)).toEqual({
      accessTokenLifetime: 900,
      refreshTokenLifetime: 2_592_000,
      refreshTokenAbsoluteLifetime: 86_400,
      idTokenLifetime: 60,
    })
  })
})
