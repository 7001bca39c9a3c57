import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newOwnKey } from '../../../src/connections/saml/new-own-key.ts'
import {
  decryptingKeys,
  formerKeySeconds,
  isPublished,
  keyInUse,
  nextKeySeconds,
  type OwnKey,
} from '../../../src/connections/saml/own-keys.ts'
import { at } from '../../support/saml-provider.ts'

const now = new Date('2026-11-26T12:00:00Z')
const time = (seconds: number) => new Date(at(now, seconds))
const key = (changes: Partial<OwnKey> = {}): OwnKey => ({ use: 'signing', createdAt: now, usedFrom: null, replacedAt: null, ...changes })

describe('a key of ours', () => {
  it('comes with a certificate of its own', async () => {
    const { privateKey, certificate } = await newOwnKey('con_1', now)
    const read = new X509Certificate(certificate)

    expect(read.checkPrivateKey(createPrivateKey(privateKey))).toBe(true)
    expect(read.subject).toBe('CN=con_1')
    expect(read.ca).toBe(false)
    expect(new Date(read.validFrom) <= now).toBe(true)
  })

  it('that is the next one is published, and signs seven days later', () => {
    const present = key()
    const next = key({ createdAt: time(1), usedFrom: time(nextKeySeconds) })

    expect([present, next].every(isPublished)).toBe(true)
    expect(keyInUse([present, next], 'signing', time(nextKeySeconds - 1))).toBe(present)
    expect(keyInUse([present, next], 'signing', time(nextKeySeconds))).toBe(next)
  })

  it('that was replaced signs no more, is not published, and decrypts for thirty days', () => {
    const former = key({ use: 'encryption', replacedAt: now })
    const present = key({ use: 'encryption' })

    expect(isPublished(former)).toBe(false)
    expect(keyInUse([former], 'encryption', now)).toBeUndefined()
    expect(decryptingKeys([former, present], time(formerKeySeconds - 1))).toEqual([former, present])
    expect(decryptingKeys([former, present], time(formerKeySeconds))).toEqual([present])
  })

  it('is used for one thing alone', () => {
    const [signing, encryption] = [key(), key({ use: 'encryption' })]

    expect(keyInUse([signing, encryption], 'encryption', now)).toBe(encryption)
    expect(decryptingKeys([signing, encryption], now)).toEqual([encryption])
  })
})
