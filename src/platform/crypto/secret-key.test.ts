import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSecretKey } from './secret-key.ts'

const unpadded = (text: string) => text.replaceAll('=', '')
const forms = (key: Buffer) => {
  const url = key.toString('base64url')
  return [key.toString('base64'), unpadded(key.toString('base64')), url, `${url}=`]
}

describe('a secret key', () => {
  it('is taken in base64 and base64url, with and without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        for (const form of forms(Buffer.from(bytes))) expect(parseSecretKey(form)?.equals(bytes)).toBe(true)
      }),
    )
  })

  it.each([0, 16, 31, 33, 64])('of %d bytes is refused', (length) => {
    for (const form of [randomBytes(length).toString('base64'), randomBytes(length).toString('base64url')])
      expect(parseSecretKey(form)).toBeUndefined()
  })

  it('that was mistyped is refused', () => {
    const whole = Buffer.alloc(32, 0xfb).toString('base64')
    for (const mistyped of [
      whole.slice(1),
      `${whole}=`,
      `${whole}A`,
      whole.replace('+', '!'),
      whole.replace('+', '-'),
      `${whole.slice(0, -2)}B=`,
      ` ${whole}`,
    ])
      expect([mistyped, parseSecretKey(mistyped)]).toEqual([mistyped, undefined])
  })
})
