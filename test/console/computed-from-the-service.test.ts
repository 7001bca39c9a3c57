import { describe, expect, it } from 'vitest'
import { defaultLifetimes } from '../../console/src/pages/organisation/default-lifetimes.ts'
import { tokenLifetimesOf } from '../../src/organisations/rules.ts'
import { effectiveLifetimes } from '../../src/tokens/lifetimes.ts'

describe('the lifetimes of tokens that the console calls the default', () => {
  it('are the default of the service', () => {
    const unset = { accessTokenLifetime: null, refreshTokenLifetime: null, refreshTokenAbsoluteLifetime: null, idTokenLifetime: null }
    const effective = effectiveLifetimes(unset, tokenLifetimesOf(null))
    for (const [path, seconds] of Object.entries(defaultLifetimes)) {
      const name = `${path.split('.')[1]}Lifetime` as keyof typeof effective
      expect([path, effective[name]]).toEqual([path, seconds])
    }
  })
})
