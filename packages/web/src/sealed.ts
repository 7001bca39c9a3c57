import { CompactEncrypt, type CryptoKey, compactDecrypt } from 'jose'

/** What a sealed value is for: one that was sealed for another purpose cannot be unsealed. */
export type Purpose = 'attempt' | 'session' | 'stored session'

export interface Sealer {
  seal(purpose: Purpose, value: object): Promise<string>
  /** @returns undefined for what was not sealed here for this purpose; `isCurrent` is false under a former secret */
  unseal<Value>(purpose: Purpose, sealed: string): Promise<{ value: Value; isCurrent: boolean } | undefined>
}

/** A secret is a key only if it cannot be guessed. */
const secretLengthMin = 32

/**
 * Encrypts and authenticates what a browser stores (JWE, `dir` with A256GCM).
 *
 * @param secrets the first one seals, each of them unseals
 * @param context the issuer and the application, so that applications with the same secret do not take each other's cookies
 * @throws TypeError when a secret has fewer than 32 characters
 */
export function sealerOf(secrets: readonly string[], context: string): Sealer {
  if (secrets.length === 0 || secrets.some((secret) => secret.length < secretLengthMin))
    throw new TypeError(`Each cookie secret has at least ${secretLengthMin} random characters`)
  const derived = new Map<Purpose, Promise<CryptoKey[]>>()
  const keysFor = (purpose: Purpose) => {
    const keys = derived.get(purpose) ?? Promise.all(secrets.map((secret) => derive(secret, `${purpose} ${context}`)))
    derived.set(purpose, keys)
    return keys
  }
  return {
    async seal(purpose, value) {
      const [key] = await keysFor(purpose)
      return new CompactEncrypt(encoder.encode(JSON.stringify(value)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key as CryptoKey)
    },
    async unseal(purpose, sealed) {
      for (const [index, key] of (await keysFor(purpose)).entries()) {
        const opened = await compactDecrypt(sealed, key, accepted).catch(() => undefined)
        if (opened) return { value: JSON.parse(decoder.decode(opened.plaintext)), isCurrent: index === 0 }
      }
      return undefined
    },
  }
}

const accepted = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
const encoder = new TextEncoder()
const decoder = new TextDecoder()

async function derive(secret: string, info: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(`gatehouse web ${info}`) }
  return crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
