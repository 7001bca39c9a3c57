import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimsWithin, userClaims } from './claims.ts'

const name = fc.string({ minLength: 1 })
const text = fc.oneof(fc.constant(''), fc.string())
const user = fc.record({
  userId: fc.constant('usr_1'),
  email: fc.emailAddress(),
  firstName: name,
  lastName: name,
  name,
  phone: fc.oneof(fc.constant(null), text),
  emailVerifiedAt: fc.option(fc.date({ noInvalidDate: true })),
  userUpdatedAt: fc.date({ noInvalidDate: true }),
})
const scopes = ['profile', 'email', 'phone'] as const

describe('the claims about a user', () => {
  it('have values, whatever is stored of the user', () => {
    fc.assert(
      fc.property(user, fc.subarray([...scopes]), fc.subarray(claimsWithin(scopes)), (stored, scope, named) => {
        const claims = userClaims(stored, scope, named)
        for (const value of Object.values(claims)) expect([null, undefined, '']).not.toContain(value)
        for (const granted of Object.keys(claims)) expect([...claimsWithin(scope), ...named]).toContain(granted)
      }),
    )
  })

  it('say of a number whether it is verified only together with it', () => {
    fc.assert(
      fc.property(user, (stored) => {
        const claims = userClaims(stored, scopes)
        expect('phone_number_verified' in claims).toBe('phone_number' in claims)
        expect('phone_number' in claims).toBe(Boolean(stored.phone))
      }),
    )
  })
})
