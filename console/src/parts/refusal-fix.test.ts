import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { remedyOf, requestAgain } from './refusal-fix.ts'

const client = {
  clientType: 'confidential' as const,
  tokenEndpointAuthMethod: 'client_secret_basic' as const,
  redirectUris: ['https://portal.test/callback'],
  postLogoutRedirectUris: [],
  scopes: ['orders:read'],
  grantTypes: ['authorization_code' as const],
  isActive: true,
  requirePkce: true,
}
const refused = (check: string, received?: unknown, more: object = {}) => ({
  endpoint: 'authorize',
  check,
  received,
  expected: null,
  parameters: {},
  phrases: null,
  ...more,
})

const uri = fc.string({ unit: fc.constantFrom(...'abc/?=.'), maxLength: 5 }).map((end) => `https://portal.test/${end}`)

describe('the fix of a refusal', () => {
  it('adds exactly the redirect URI that was received, and keeps all others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(uri), uri, (redirectUris, received) => {
        const { fix } = remedyOf(refused('redirect_uri', received), { ...client, redirectUris }, undefined)
        if (redirectUris.includes(received)) expect(fix).toEqual({ kind: 'done' })
        else expect(fix).toMatchObject({ kind: 'client', value: received, body: { redirectUris: [...redirectUris, received] } })
      }),
    )
  })

  it('begins with the list of the organisation where that stands in the way', () => {
    const received = 'https://portal.test/callbak'
    const allowedCallbackUrls = ['https://portal.test/callback']
    const { fix } = remedyOf(refused('redirect_uri', received), client, { allowedCallbackUrls })
    const body = { allowedCallbackUrls: [...allowedCallbackUrls, received] }
    expect(fix).toEqual({ kind: 'organisation', field: 'allowedCallbackUrls', value: received, body })

    expect(remedyOf(refused('redirect_uri', received), client, body).fix).toMatchObject({ kind: 'client', field: 'redirectUris' })
    expect(remedyOf(refused('redirect_uri', received), client, { allowedCallbackUrls: [] }).fix).toMatchObject({ kind: 'client' })
    expect(
      remedyOf(refused('post_logout_redirect_uri', received, { endpoint: 'logout' }), client, { allowedLogoutUrls: ['https://x.test/'] })
        .fix,
    ).toMatchObject({ kind: 'organisation', field: 'allowedLogoutUrls' })
  })

  it.each([
    ['scope', 'orders:write', {}, { scopes: ['orders:read', 'orders:write'] }],
    ['grant_type', 'client_credentials', { endpoint: 'token' }, { grantTypes: ['authorization_code', 'client_credentials'] }],
    ['post_logout_redirect_uri', 'https://a.test/', { endpoint: 'logout' }, { postLogoutRedirectUris: ['https://a.test/'] }],
  ])('of %s changes the application', (check, received, more, body) => {
    expect(remedyOf(refused(check, received, more), client, undefined).fix).toMatchObject({ kind: 'client', body })
  })

  it.each([
    ['a redirect URI of the token request', refused('redirect_uri', 'https://x.test/', { endpoint: 'token' })],
    ['a redirect URI that was not sent', refused('redirect_uri', null)],
    ['a scope of OpenID Connect', refused('scope', 'openid', { endpoint: 'token' })],
    ['a refresh beyond what was granted', refused('scope', 'x', { endpoint: 'token', parameters: { grant_type: 'refresh_token' } })],
    ['a grant that there is not', refused('grant_type', 'password', { endpoint: 'token' })],
    ['a code', refused('code', null, { endpoint: 'token' })],
  ])('is not a change of the application for %s', (_what, refusal) => {
    expect(remedyOf(refusal, client, undefined).fix).toBeUndefined()
  })

  it('does not offer client credentials to an application without a secret', () => {
    const refusal = refused('grant_type', 'client_credentials', { endpoint: 'token' })
    expect(remedyOf(refusal, { ...client, clientType: 'public' }, undefined).fix).toBeUndefined()
  })

  it('activates what is revoked', () => {
    expect(remedyOf(refused('client_id', 'a revoked client'), { ...client, isActive: false }, undefined).fix).toEqual({ kind: 'activate' })
    expect(remedyOf(refused('client_state', 'revoked'), client, undefined).fix).toEqual({ kind: 'done' })
  })

  it('is code to paste where the application has to change', () => {
    expect(remedyOf(refused('code_challenge'), client, undefined).snippet).toBe('s256')
  })

  it.each([
    ['none', 'public', 'settings'],
    ['client_secret_basic', 'basic', 'settings'],
    ['client_secret_post', 'basic', 'settings'],
    ['private_key_jwt', 'key', 'security'],
    ['tls_client_auth', 'certificate', 'security'],
    ['self_signed_tls_client_auth', 'certificate', 'security'],
  ] as const)('is what the method %s sends, and never what was just refused', (tokenEndpointAuthMethod, snippet, tab) => {
    const registered = { ...client, tokenEndpointAuthMethod }
    const received = tokenEndpointAuthMethod.startsWith('client_secret') ? 'none' : 'client_secret_basic'
    const otherMethod = refused('token_endpoint_auth_method', received, { endpoint: 'token', expected: tokenEndpointAuthMethod })
    expect(remedyOf(otherMethod, registered, undefined)).toMatchObject({ snippet, tab })
    expect(remedyOf(refused('client_authentication', 'several', { endpoint: 'token' }), registered, undefined)).toMatchObject({
      snippet,
      tab,
    })
    // The refusal says what was expected then, also of an application that was changed or deleted meanwhile.
    for (const known of [client, undefined]) expect(remedyOf(otherMethod, known, undefined)).toMatchObject({ snippet, tab })
  })

  it('is no code while the service does not take the method at all', () => {
    const phrases = { expected: null, received: null, hint: { phrase: 'extension-is-off' as const, values: ['private_key_jwt'] } }
    const refusal = refused('token_endpoint_auth_method', 'private_key_jwt', { expected: 'private_key_jwt', phrases })
    expect(remedyOf(refusal, { ...client, tokenEndpointAuthMethod: 'private_key_jwt' }, undefined).snippet).toBeUndefined()
  })

  it('leads to the keys of the application where the refusal is about them', () => {
    for (const check of ['client_assertion', 'client_certificate', 'federated_token'])
      expect(remedyOf(refused(check), client, undefined)).toMatchObject({ snippet: undefined, tab: 'security' })
  })
})

describe('a request that is sent again', () => {
  const stored = (parameters: Record<string, string>, more: object = {}) => ({
    reference: '7k3m-q9td-x2vb',
    clientId: 'cli_x',
    clientName: 'Portal',
    signInId: null,
    connectionId: null,
    phrases: null,
    checks: null,
    endpoint: 'authorize',
    error: 'invalid_request',
    description: '',
    check: 'redirect_uri',
    expected: null,
    received: null,
    hint: null,
    createdAt: '2026-01-30T00:00:00.000Z',
    parameters,
    ...more,
  })

  it('has what was stored, and a challenge of its own', () => {
    const again = requestAgain(
      stored({
        client_id: 'cli_x',
        redirect_uri: 'https://a.test/?x=1&y',
        code_challenge: '*** (43 characters)',
        code_challenge_method: 'S256',
      }),
      'https://id.test',
      'challenge',
    )
    const { origin, pathname, searchParams } = new URL(again ?? '')
    expect(origin + pathname).toBe('https://id.test/oauth2/authorize')
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'cli_x',
      redirect_uri: 'https://a.test/?x=1&y',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
    })
  })

  it('cannot be made of what was cut off, nor of what needs a secret', () => {
    expect(requestAgain(stored({ client_id: 'cli_x', state: 'x'.repeat(500) }), 'https://id.test', 'c')).toBeUndefined()
    expect(requestAgain(stored({ client_id: 'cli_x' }, { endpoint: 'token' }), 'https://id.test', 'c')).toBeUndefined()
    expect(requestAgain(stored({}), 'https://id.test', 'c')).toBeUndefined()
  })
})
