import { describe, expect, it } from 'vitest'
import { changesThatGiveTrust, type FieldChange, givesTrust, trustedOf, trustRules } from './trusted-settings.ts'

describe('a change of a setting', () => {
  it.each<[keyof typeof trustRules, string, FieldChange]>([
    ['connection', 'identityAssertions', { from: null, to: { accepted: true } }],
    ['connection', 'linking', { from: 'none', to: 'automatic' }],
    ['connection', 'isActive', { from: false, to: true }],
    ['directory', 'userMatch', { from: 'externalId', to: 'email' }],
    ['directory', 'connectionId', { from: 'con_1', to: null }],
    ['directory', 'isActive', { from: false, to: true }],
    ['directory', 'emailChanges', { from: 'refuse', to: 'verified_domains' }],
    ['domain', 'connectionId', { from: null, to: 'con_1' }],
    ['domain', 'sso', { from: 'required', to: 'offered' }],
    ['domain', 'bypassUserIds', { from: ['usr_1'], to: ['usr_2'] }],
  ])('of a %s gives trust: %s %j', (kind, field, change) => {
    expect(givesTrust(trustRules[kind], field, change)).toBe(true)
  })

  it.each<[keyof typeof trustRules, string, FieldChange]>([
    ['connection', 'name', { from: 'A', to: 'B' }],
    ['connection', 'isActive', { from: true, to: false }],
    ['connection', 'updatedAt', { from: '2026-11-01', to: '2026-11-02' }],
    ['connection', 'constructor', { to: true }],
    ['directory', 'emailChanges', { from: 'verified_domains', to: 'refuse' }],
    ['directory', 'deletes', { from: 'block', to: 'delete' }],
    ['domain', 'connectionId', { from: 'con_1', to: null }],
    ['domain', 'sso', { from: 'offered', to: 'required' }],
    ['domain', 'sso', { from: 'off', to: 'offered' }],
    ['domain', 'bypassUserIds', { from: ['usr_1', 'usr_2'], to: ['usr_2'] }],
  ])('of a %s gives none: %s %j', (kind, field, change) => {
    expect(givesTrust(trustRules[kind], field, change)).toBe(false)
  })

  it('is described by its field, with the value that alone gives trust', () => {
    expect(changesThatGiveTrust(trustRules.directory)).toBe(
      'isActive to true, groupMappings, userMatch, connectionId or emailChanges to verified_domains',
    )
  })

  it('is compared with the record, and nothing is changed without one', () => {
    const before = { connectionId: 'con_1', sso: 'required', bypassUserIds: [] }
    expect(trustedOf(trustRules.domain, before, { sso: 'off', bypassUserIds: [] })).toEqual(['sso'])
    expect(trustedOf(trustRules.domain, before, undefined)).toEqual([])
  })
})
