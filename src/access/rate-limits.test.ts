import { expect, it } from 'vitest'
import { networkOf } from '../platform/http/addresses.ts'
import type { NamedLimit } from '../platform/rate-limits/rate-limit.ts'
import { rateLimitTable } from './rate-limits.ts'

it('every limit by address, and no other, counts networks', () => {
  for (const [name, limit] of Object.entries<NamedLimit>(rateLimitTable)) {
    expect([name, limit.keyOf]).toEqual([name, name.endsWith('ByAddress') ? networkOf : undefined])
  }
})

const minute = 60
const hour = 60 * minute

it.each<[keyof typeof rateLimitTable, number, number]>([
  ['signInByAddress', 100, 15 * minute],
  ['codeByUser', 5, 5 * minute],
  ['emailCodesByEmail', 5, hour],
  ['emailCodesByAddress', 20, hour],
  ['federationStartsByAddress', 60, 5 * minute],
  ['identificationsByAddress', 60, 5 * minute],
  ['logoutTokensByConnection', 60, 5 * minute],
  ['userCodesBySession', 5, 10 * minute],
  ['userCodesByAddress', 50, 10 * minute],
  ['scimRequestsByDirectory', 600, minute],
  ['clientDocumentsByHost', 30, minute],
  ['clientDocuments', 300, minute],
  ['newClientDocumentsByAddress', 6, minute],
  ['newClientDocumentsByHost', 20, minute],
  ['newClientDocuments', 200, minute],
  ['registrationsByAddress', 20, hour],
  ['domainVerificationsByOrganisation', 30, hour],
  ['testRunsByConnection', 30, hour],
])('the limit %s is the documented one', (name, max, windowSeconds) => {
  expect(rateLimitTable[name]).toMatchObject({ max, windowSeconds })
})
