import { createPublicKey, type KeyObject, type JsonWebKey as NodeKey } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PublicKey } from '../platform/database/column-types.ts'

/** Reading a key takes longer than verifying a signature by it. jose, too, remembers what it has made of a key object. */
const keyObjects = new LRUCache<string, KeyObject>({ max: 1_000 })
/** Longer than an RSA key of 8,192 bits: only keys that may be used are remembered. */
const lengthMax = 2_000

/** A key for signatures. @throws Error when it is no key */
export function keyObjectOf(key: PublicKey): KeyObject {
  const { kty, crv, x, y, n, e } = key as NodeKey
  // As JSON: a list of one text is not that text.
  const name = JSON.stringify([kty, crv, x, y, n, e])
  const known = keyObjects.get(name)
  if (known) return known
  const read = createPublicKey({ key: key as NodeKey, format: 'jwk' })
  if (name.length <= lengthMax) keyObjects.set(name, read)
  return read
}
