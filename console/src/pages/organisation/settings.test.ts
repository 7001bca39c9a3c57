import { describe, expect, it } from 'vitest'
import type { Organisation } from '../../api/organisation-record.ts'
import { bodyOf, isSetIn, numberIn } from './settings.ts'

const organisation = {
  phone: '+44 20 7946 0000',
  passwordPolicy: { minLength: 10, requireNumber: true, own: 'kept' },
  tokenLifetimePolicy: { accessToken: 900, accessTokenLifetime: 600 },
  branding: { logoUrl: 'https://logos.test/a.svg', primaryColor: '#0f766e' },
} as unknown as Organisation

describe('the body that changes settings', () => {
  it('holds a group with what was stored in it and is not shown', () => {
    expect(bodyOf(organisation, { 'passwordPolicy.minLength': 14 })).toEqual({
      passwordPolicy: { minLength: 14, requireNumber: true, own: 'kept' },
    })
  })

  it('holds several changes of one group', () => {
    expect(bodyOf(organisation, { 'passwordPolicy.minLength': 14, 'passwordPolicy.maxAge': 90, name: 'Globex' })).toEqual({
      passwordPolicy: { minLength: 14, maxAge: 90, requireNumber: true, own: 'kept' },
      name: 'Globex',
    })
  })

  it('leaves no other spelling behind that would still hold', () => {
    expect(bodyOf(organisation, { 'passwordPolicy.requireNumbers': false }).passwordPolicy).toEqual({
      minLength: 10,
      own: 'kept',
      requireNumbers: false,
    })
    expect(bodyOf(organisation, { 'tokenLifetimePolicy.accessToken': null }).tokenLifetimePolicy).toEqual({})
  })

  it('leaves out of a group what is empty, and sends null for a field of its own', () => {
    expect(bodyOf(organisation, { 'branding.primaryColor': '', phone: '' })).toEqual({
      branding: { logoUrl: 'https://logos.test/a.svg' },
      phone: null,
    })
  })
})

describe('a setting with two spellings', () => {
  it('has the value that the service goes by', () => {
    expect(isSetIn(organisation, 'passwordPolicy.requireNumbers')).toBe(true)
    expect(numberIn(organisation, 'tokenLifetimePolicy.accessToken')).toBe(600)
    expect(numberIn(organisation, 'tokenLifetimePolicy.idToken')).toBeNull()
  })
})
