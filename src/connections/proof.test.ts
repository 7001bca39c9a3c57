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
    ['accepted assertions', oidc, { ...oidc, identityAssertions: { ...assertions, accepted: true } }],
    ['another entity', saml, configured(saml, { entityId: 'https://another.test' })],
    ['another attribute with the subject', saml, configured(saml, { subjectAttribute: 'mail' })],
    ['another certificate', saml, configured(saml, { certificates: ['two', 'three'] })],
    ['another address of the metadata', saml, configured(saml, { metadataUrl: 'https://another.test/metadata' })],
  ])('changes with %s', (_what, before, after) => {
    expect(changesProof(before, after)).toBe(true)
  })

  it.each<[string, Settings, Settings]>([
    ['what is asked for', oidc, configured(oidc, { scopes: ['openid'], extraParameters: { audience: 'a' } })],
    ['other names', oidc, { ...oidc, mapping: { firstName: 'first', groups: 'roles' } }],
    ['a proof of a second factor that does not count', oidc, { ...oidc, mfaContexts: [] }],
    ['less trust', { ...oidc, trustsMfa: true, identityAssertions: { ...assertions, accepted: true } }, oidc],
    ['the end of a change to another certificate', saml, configured(saml, { certificates: ['two'] })],
    ['metadata that are not read any more', saml, configured(saml, { metadataUrl: undefined })],
  ])('does not change with %s', (_what, before, after) => {
    expect(changesProof(before, after)).toBe(false)
  })
})
