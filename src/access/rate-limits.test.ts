import { expect, it } from 'vitest'
import { networkOf } from '../platform/http/addresses.ts'
import type { NamedLimit } from '../platform/rate-limits/rate-limit.ts'
import { rateLimitTable } from './rate-limits.ts'

it('every limit by address, and no other, counts networks', () => {
  for (const [name, limit] of Object.entries<NamedLimit>(rateLimitTable)) {
    expect([name, limit.keyOf]).toEqual([name, name.endsWith('ByAddress') ? networkOf : undefined])
  }
})
