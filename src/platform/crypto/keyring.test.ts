import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyring } from './keyring.ts'

const keyring = createKeyring(randomBytes(32))

describe('an encrypted secret', () => {
  const encrypted = keyring.encrypt('the secret', 'ctx_1')
  const [keyId = '', sealedText = ''] = encrypted.split('.')
  const sealed = Buffer.from(sealedText, 'base64url')

  it('is decrypted with its context alone', () => {
    expect(keyring.decrypt(encrypted, 'ctx_1')).toBe('the secret')
    expect(() => keyring.decrypt(encrypted, 'ctx_2')).toThrow()
  })

  // GCM allows shorter tags, which are easier to guess.
  it.each([4, 8, 12, 15])('is refused for a tag of %i bytes', (length) => {
    const short = `${keyId}.${sealed.subarray(0, length).toString('base64url')}`
    expect(() => keyring.decrypt(short, 'ctx_1')).toThrow(/authentication tag length/)
  })
})

describe('an authentication code', () => {
  it('of one purpose is none of another, and none of another key', () => {
    const code = keyring.hmac('csrf', 'the message')
    expect(keyring.hmac('csrf', 'the message')).toBe(code)
    expect(keyring.hmac('cursor', 'the message')).not.toBe(code)
    expect(createKeyring(randomBytes(32)).hmac('csrf', 'the message')).not.toBe(code)
  })
})
