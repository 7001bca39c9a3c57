import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { keyMistake, publicMembers, thumbprintOf } from './public-keys.ts'

const made = {
  EC: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  OKP: generateKeyPairSync('ed25519'),
  RSA: generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}
const keys = Object.entries(made).map(
  ([type, { publicKey }]) => [type, { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }] as const,
)

describe('keys of clients', () => {
  it.each(keys)('%s has the thumbprint that jose gives it', async (_, key) => {
    expect(thumbprintOf(key)).toBe(await calculateJwkThumbprint(key as never))
  })

  it.each(keys)('%s is unreadable with a list in place of a text, also after the text was read', (_, key) => {
    expect(keyMistake(key)).toBeUndefined()
    const member = key.kty === 'RSA' ? 'n' : 'x'
    expect(keyMistake({ ...key, [member]: [key[member]] })).toStrictEqual({ reason: 'key-unreadable', member: undefined })
  })

  it.each(keys)('%s is unreadable with a name that is not stored, and has none if it is null', (_, key) => {
    const unreadable = { reason: 'key-unreadable', member: undefined }
    for (const kid of [7, {}, ['a'], '', 'a\u0000', '\ud800', 'x'.repeat(256)])
      expect(keyMistake({ ...key, kid })).toStrictEqual(unreadable)
    expect(keyMistake({ ...key, kid: null })).toBeUndefined()
    expect(publicMembers({ ...key, kid: null })).not.toHaveProperty('kid')
  })

  it.each(keys)('%s is unreadable with characters that its numbers do not have', (_, key) => {
    const member = key.kty === 'RSA' ? 'n' : 'x'
    expect(keyMistake({ ...key, [member]: `${key[member]}\u0000` })).toStrictEqual({ reason: 'key-unreadable', member: undefined })
  })

  it('an RSA key that is too short is refused however often it is sent', () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' })
    for (const _ of [1, 2]) expect(keyMistake({ ...key })).toStrictEqual({ reason: 'key-size-not-supported', member: 'n' })
  })
})
