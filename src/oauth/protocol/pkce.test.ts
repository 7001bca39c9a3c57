import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPkceValue, verifierMistake } from './pkce.ts'

const unreserved = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~']
const verifier = () => fc.string({ unit: fc.constantFrom(...unreserved), minLength: 43, maxLength: 128 })
const s256 = (value: string) => ({ challenge: createHash('sha256').update(value).digest('base64url'), method: 'S256' as const })

describe('a code_verifier', () => {
  it('matches the challenge that was made of it, and no other', () => {
    fc.assert(
      fc.property(verifier(), verifier(), (mine, other) => {
        expect(verifierMistake(s256(mine), mine)).toBeUndefined()
        expect(verifierMistake({ challenge: mine, method: 'plain' }, mine)).toBeUndefined()
        // The method is that of the code's request: an observed challenge does not work as a verifier.
        expect(verifierMistake(s256(mine), s256(mine).challenge)).toBeDefined()
        if (mine !== other) {
          expect(verifierMistake(s256(mine), other)).toBeDefined()
          expect(verifierMistake({ challenge: mine, method: 'plain' }, other)).toBeDefined()
        }
      }),
    )
  })

  it('of RFC 7636 appendix B matches', () => {
    const challenge = { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', method: 'S256' as const }
    expect(verifierMistake(challenge, 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBeUndefined()
  })

  it('is needed for a challenge and refused without one', () => {
    fc.assert(
      fc.property(verifier(), (mine) => {
        expect(verifierMistake(s256(mine), undefined)).toBeDefined()
        expect(verifierMistake(undefined, mine)).toBeDefined()
        expect(verifierMistake(undefined, undefined)).toBeUndefined()
      }),
    )
  })

  it('is 43 to 128 unreserved characters', () => {
    for (const [value, isOne] of [
      ['a'.repeat(42), false],
      ['a'.repeat(43), true],
      ['a'.repeat(128), true],
      ['a'.repeat(129), false],
      [`${'a'.repeat(43)}+`, false],
      [`${'a'.repeat(43)}\n`, false],
    ] as const) {
      expect(isPkceValue(value)).toBe(isOne)
    }
  })
})
