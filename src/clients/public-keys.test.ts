import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { describe, expect, it } from 'vitest'
import { keyMistake, thumbprintOf } from './public-keys.ts'

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

  it('an RSA key that is too short is refused however often it is sent', () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey.export({ format: 'jwk' })
    for (const _ of [1, 2]) expect(keyMistake({ ...key })).toStrictEqual({ reason: 'key-size-not-supported', member: 'n' })
  })
})
