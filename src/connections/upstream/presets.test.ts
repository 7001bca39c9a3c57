import { describe, expect, it } from 'vitest'
import { issuerOfClaims, presets } from './presets.ts'
import type { UpstreamSettings } from './settings.ts'

const settingsOf = (configuration: Partial<UpstreamSettings['configuration']>) => ({
  configuration: { clientId: 'gatehouse', ...configuration },
  secrets: [],
  redirectUri: 'https://gatehouse.example.test/federation/con_1/callback',
  verifiedDomains: ['example.com'],
})

describe('a preset', () => {
  it.each([
    ['google', { email_verified: true }, {}],
    ['microsoft', { xms_edov: true }, { tenant: 'common' }],
    ['apple', { email_verified: 'true' }, {}],
    ['oidc', { email_verified: true }, { emailTrust: 'verified_claim' }],
  ] as const)('proves the claim email and no other, whatever is stored: %s', (provider, claims, configuration) => {
    const provesAs = (emailClaim: string | undefined) =>
      presets[provider].proves(claims, 'ada@gmail.com', { provider, ...settingsOf(configuration), emailClaim })

    expect([undefined, 'email', 'upn', 'preferred_username', 'blog'].map(provesAs)).toEqual([true, true, false, false, false])
  })

  it('takes nothing but a text for a tenant of Microsoft', () => {
    const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
    const issuer = presets.microsoft.issuerOf({ clientId: 'gatehouse', tenant: 'organizations' })
    for (const tid of [[tenant], { toString: 1 }]) {
      expect(presets.microsoft.subjectOf({ tid, oid: 'ada' })).toBeUndefined()
      expect(issuerOfClaims('microsoft', { clientId: 'gatehouse', tenant: 'organizations' }, { tid })).toBe(issuer)
    }
    expect(presets.microsoft.subjectOf({ tid: tenant, oid: 'ada' })).toBe(`${tenant}.ada`)
  })

  it('takes the tenant of personal accounts for consumers, of whose addresses a verified domain proves none', () => {
    const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
    const provesOf = (tenant: string) =>
      presets.microsoft.proves({}, 'ada@example.com', { provider: 'microsoft', ...settingsOf({ tenant }) })

    const ofOneCompany = '72f988bf-86f1-41af-91ab-2d7cd011db47'
    expect([ofOneCompany, personal, personal.toUpperCase(), 'consumers'].map(provesOf)).toEqual([true, false, false, false])
  })
})
