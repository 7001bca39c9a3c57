import { describe, expect, it } from 'vitest'
import { changesProof } from './proof.ts'

type Settings = Parameters<typeof changesProof>[0]

const assertions = { resourceServerIds: ['rsv_1'], maxLifetimeSeconds: 300, allowsUnauthenticatedDocuments: false, tenant: null }

const oidc: Settings = {
  configuration: { issuer: 'https://login.acme.test', clientId: 'gatehouse' },
  mapping: {},
  trustsMfa: false,
  mfaContexts: ['phr'],
  identityAssertions: { ...assertions, accepted: false },
}
const saml: Settings = {
  ...oidc,
  configuration: { entityId: 'https://login.acme.test', metadataUrl: 'https://login.acme.test/metadata', certificates: ['one', 'two'] },
}
const trusting: Settings = {
  ...oidc,
  trustsMfa: true,
  mfaContexts: ['phr', 'mfa'],
  identityAssertions: {
    accepted: true,
    resourceServerIds: ['rsv_1', 'rsv_2'],
    maxLifetimeSeconds: 600,
    allowsUnauthenticatedDocuments: true,
    tenant: 'org_1',
  },
}
const asserting = (members: object): Settings => ({
  ...trusting,
  identityAssertions: { ...trusting.identityAssertions, ...members } as never,
})
const configured = (settings: Settings, members: object): Settings => ({
  ...settings,
  configuration: { ...settings.configuration, ...members },
})

describe('who proves who a user is', () => {
  it.each<[string, Settings, Settings]>([
    ['another issuer', oidc, configured(oidc, { issuer: 'https://another.test' })],
    ['another client', oidc, configured(oidc, { clientId: 'another' })],
    ['another tenant', oidc, configured(oidc, { tenant: 'organizations' })],
    ['another host', oidc, configured(oidc, { host: 'github.acme.test' })],
    ['another claim with the address', oidc, { ...oidc, mapping: { email: 'upn' } }],
    ['trust in second factors', oidc, { ...oidc, trustsMfa: true }],
    ['another proof of a second factor', { ...oidc, trustsMfa: true }, { ...oidc, trustsMfa: true, mfaContexts: ['phr', 'mfa'] }],
    ['another way to trust addresses', oidc, configured(oidc, { emailTrust: 'verified_domain' })],
    [
      'another domain of accounts',
      configured(oidc, { allowedHostedDomains: ['a.test'] }),
      configured(oidc, { allowedHostedDomains: ['b.test'] }),
    ],
    ['accounts of any domain', configured(oidc, { allowedHostedDomains: ['a.test'] }), configured(oidc, { allowedHostedDomains: [] })],
    ['one more tenant of accounts', configured(oidc, { allowedTenants: ['one'] }), configured(oidc, { allowedTenants: ['one', 'two'] })],
    ['assertions for one more API', asserting({ resourceServerIds: ['rsv_1'] }), trusting],
    ['assertions that live longer', asserting({ maxLifetimeSeconds: 300 }), trusting],
    ['assertions of clients that only a document identifies', asserting({ allowsUnauthenticatedDocuments: false }), trusting],
    ['assertions of another tenant', trusting, asserting({ tenant: 'org_2' })],
    ['accepted assertions', oidc, { ...oidc, identityAssertions: { ...assertions, accepted: true } }],
    ['another entity', saml, configured(saml, { entityId: 'https://another.test' })],
    ['another attribute with the subject', saml, configured(saml, { subjectAttribute: 'mail' })],
    ['another certificate', saml, configured(saml, { certificates: ['two', 'three'] })],
    ['a signed response that suffices', saml, configured(saml, { acceptsSignedResponse: true })],
    ['a first address of the metadata', configured(saml, { metadataUrl: undefined }), saml],
    ['another address of the metadata', saml, configured(saml, { metadataUrl: 'https://another.test/metadata' })],
  ])('changes with %s', (_what, before, after) => {
    expect(changesProof(before, after)).toBe(true)
  })

  it.each<[string, Settings, Settings]>([
    ['what is asked for', oidc, configured(oidc, { scopes: ['openid'], extraParameters: { audience: 'a' } })],
    ['other names', oidc, { ...oidc, mapping: { firstName: 'first', groups: 'roles' } }],
    ['a proof of a second factor that does not count', oidc, { ...oidc, mfaContexts: [] }],
    ['no trust any more', trusting, oidc],
    ['fewer proofs of a second factor', trusting, { ...trusting, mfaContexts: ['phr'] }],
    ['assertions for fewer APIs', trusting, asserting({ resourceServerIds: ['rsv_2'] })],
    ['assertions that live shorter', trusting, asserting({ maxLifetimeSeconds: 300 })],
    ['no assertions of clients that only a document identifies', trusting, asserting({ allowsUnauthenticatedDocuments: false })],
    [
      'other settings of assertions that are not accepted',
      oidc,
      { ...oidc, identityAssertions: { ...assertions, accepted: false, tenant: 'a' } },
    ],
    ['addresses that are not trusted any more', configured(oidc, { emailTrust: 'verified_claim' }), oidc],
    ['fewer domains of accounts', oidc, configured(oidc, { allowedHostedDomains: ['a.test'] })],
    ['fewer tenants of accounts', configured(oidc, { allowedTenants: ['one', 'two'] }), configured(oidc, { allowedTenants: ['two'] })],
    [
      'a signed response that suffices no more',
      configured(saml, { acceptsSignedResponse: true }),
      configured(saml, { acceptsSignedResponse: false }),
    ],
    ['the end of a change to another certificate', saml, configured(saml, { certificates: ['two'] })],
    ['metadata that are not read any more', saml, configured(saml, { metadataUrl: undefined })],
  ])('does not change with %s', (_what, before, after) => {
    expect(changesProof(before, after)).toBe(false)
  })
})
