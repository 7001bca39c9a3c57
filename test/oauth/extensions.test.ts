import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtExtensions, type OAuthExtension } from '../../src/clients/extensions.ts'
import { certificateVariables } from '../support/certificates.ts'
import { freshEngine } from '../support/database.ts'
import { givenApplication } from '../support/oauth.ts'
import { recordingEngine } from '../support/recording-engine.ts'
import { startTestService } from '../support/service.ts'

const names = ['openid-configuration', 'oauth-authorization-server'] as const

/** The bytes of both discovery documents. */
async function documentsOf(environment: Record<string, string>): Promise<string[]> {
  const service = await startTestService({ environment })
  try {
    return await Promise.all(names.map(async (name) => (await fetch(`${service.origin}/.well-known/${name}`)).text()))
  } finally {
    await service.stop()
  }
}

/** As they were before there was any extension. They never change because of one. */
const withoutExtensions = names.map((name) => readFileSync(`test/oauth/discovery/${name}.txt`, 'utf8'))

const byCertificate = ['tls_client_auth', 'self_signed_tls_client_auth']
/** The variables that an extension needs. */
const variablesOf: { readonly [Name in OAuthExtension]?: Record<string, string> } = { mtls: certificateVariables }

/** The members of each extension. */
const ownMembers: Record<OAuthExtension, Record<string, unknown>> = {
  backchannel_logout: { backchannel_logout_supported: true, backchannel_logout_session_supported: true },
  claims_parameter: { claims_parameter_supported: true },
  client_metadata_documents: { client_id_metadata_document_supported: true },
  device: {
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
    device_authorization_endpoint: 'http://gatehouse.test/oauth2/device_authorization',
  },
  dpop: { dpop_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'] },
  private_key_jwt: {
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
    revocation_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
    introspection_endpoint_auth_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
  },
  // No metadata names a platform: whom a client trusts is its own affair.
  federated_credentials: {},
  dynamic_registration: { registration_endpoint: 'http://gatehouse.test/oauth2/register' },
  identity_assertions: {
    grant_types_supported: [
      ...['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ],
    identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
    authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
  },
  jar: {
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256'],
    require_signed_request_object: false,
  },
  jwt_introspection: { introspection_signing_alg_values_supported: ['EdDSA', 'RS256'] },
  mtls: {
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', ...byCertificate],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', ...byCertificate],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', ...byCertificate],
    tls_client_certificate_bound_access_tokens: true,
    mtls_endpoint_aliases: {
      token_endpoint: 'http://mtls.gatehouse.test/oauth2/token',
      userinfo_endpoint: 'http://mtls.gatehouse.test/oauth2/userinfo',
      revocation_endpoint: 'http://mtls.gatehouse.test/oauth2/revoke',
      introspection_endpoint: 'http://mtls.gatehouse.test/oauth2/introspect',
    },
  },
  par: { pushed_authorization_request_endpoint: 'http://gatehouse.test/oauth2/par' },
  // RFC 8707 defines no metadata: that a resource server takes its tokens, its own document says.
  resource_indicators: {},
  step_up: { acr_values_supported: ['aal1', 'aal2', 'phr', 'phrh'] },
}

/** Extensions that do not start alone; what they need has no members of its own. */
const needs = (name: OAuthExtension): OAuthExtension[] =>
  ['client_metadata_documents', 'identity_assertions'].includes(name) ? ['resource_indicators'] : []

describe('the discovery documents', () => {
  it('are byte for byte the committed ones without extensions', async () => {
    expect(await documentsOf({})).toEqual(withoutExtensions)
  })

  it.each(builtExtensions)('differ with %s in its own members alone', async (name) => {
    const documents = await documentsOf({ OAUTH_EXTENSIONS: [name, ...needs(name)].join(','), ...variablesOf[name] })
    const expected = withoutExtensions.map((text) => ({ ...JSON.parse(text), ...ownMembers[name] }))
    expect(documents.map((text) => JSON.parse(text))).toEqual(expected)
    // The other members are in the same order, too.
    for (const [index, text] of documents.entries()) {
      const others = (document = '') => Object.entries(JSON.parse(document)).filter(([member]) => !(member in ownMembers[name]))
      expect(JSON.stringify(others(text))).toBe(JSON.stringify(others(withoutExtensions[index])))
    }
  })
})

describe('a request that uses no extension', () => {
  it.each([
    ['nothing is switched on', {}],
    ['everything is', { OAUTH_EXTENSIONS: 'all' }],
  ])('runs the same statements where %s', async (_, environment) => {
    const engine = recordingEngine(await freshEngine())
    const service = await startTestService({ engine, environment })
    try {
      const app = await givenApplication(service, { grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] })
      const { owner } = app.organisation
      await app.signIn({ scope: 'openid offline_access' })
      await owner.get('/v1/me/profile')
      await service.settled()
      const during = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
        engine.statements.length = 0
        const result = await work()
        return [engine.statements.filter(({ ofRequest }) => ofRequest).length, result]
      }

      const [session] = await during(() => owner.get('/v1/auth/csrf'))
      const [authorize, { code, verifier }] = await during(() => app.code({ scope: 'openid offline_access', max_age: '3600' }))
      const [redeem, { body }] = await during(() => app.redeem(code, verifier))
      const [refresh] = await during(() => app.refresh(body.refresh_token))
      const [introspect] = await during(() => app.introspect(body.access_token))
      const [userInfo] = await during(() => app.userInfo(body.access_token))
      const [own] = await during(() => app.token({ grant_type: 'client_credentials' }))

      expect({ session, authorize, redeem, refresh, introspect, userInfo, own }).toEqual({
        session: 1,
        authorize: 3,
        redeem: 3,
        refresh: 3,
        introspect: 2,
        userInfo: 1,
        own: 1,
      })
    } finally {
      await service.stop()
    }
  })
})
