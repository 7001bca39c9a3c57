import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt, type JWK } from 'jose'

const encryption = 'A256GCM'
const algorithms = ['ECDH-ES+A256KW', 'RSA-OAEP-256'] as const
const rsaBitsMin = 2_048

/** A key that cannot be used, with the reason. */
export class UnusableKey extends Error {}

export interface Recipient {
  /** The thumbprint (RFC 7638) of the public key. */
  thumbprint: string
  /** @returns a JWE in compact form */
  seal(plaintext: string): Promise<string>
}

export interface RecipientKey {
  thumbprint: string
  /** @throws Error when the text was encrypted for another key, or changed */
  open(jwe: string): Promise<string>
}

/**
 * @param text a public key: a JWK, or PEM
 * @throws UnusableKey
 */
export async function recipientOf(text: string): Promise<Recipient> {
  if (tryKey(text, createPrivateKey))
    throw new UnusableKey('it is a private key: give the public one, and leave the private one where it is')
  const key = tryKey(text, createPublicKey)
  if (!key) throw new UnusableKey('it is neither a public JWK nor a public key in PEM')
  const alg = algorithmOf(key)
  return {
    thumbprint: await thumbprintOf(key),
    seal: (plaintext) => new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader({ alg, enc: encryption }).encrypt(key),
  }
}

/**
 * @param text a private key: a JWK, or PEM without a passphrase
 * @throws UnusableKey
 */
export async function recipientKeyOf(text: string): Promise<RecipientKey> {
  const key = tryKey(text, createPrivateKey)
  if (!key && tryKey(text, createPublicKey)) throw new UnusableKey('it is a public key: the private one of the pair opens the export')
  if (!key) throw new UnusableKey('it is neither a private JWK nor a private key in PEM without a passphrase')
  algorithmOf(key)
  const options = { keyManagementAlgorithms: [...algorithms], contentEncryptionAlgorithms: [encryption] }
  return {
    thumbprint: await thumbprintOf(createPublicKey(key)),
    open: async (jwe) => Buffer.from((await compactDecrypt(jwe, key, options)).plaintext).toString('utf8'),
  }
}

/** Creates a key pair, each key as the text of a JWK. */
export async function newRecipientKeys(): Promise<{ publicKey: string; privateKey: string; thumbprint: string }> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const thumbprint = await thumbprintOf(pair.publicKey)
  const text = (key: KeyObject) =>
    `${JSON.stringify({ ...key.export({ format: 'jwk' }), kid: thumbprint, use: 'enc', alg: 'ECDH-ES+A256KW' }, null, 2)}\n`
  return { publicKey: text(pair.publicKey), privateKey: text(pair.privateKey), thumbprint }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): (typeof algorithms)[number] {
  if (type === 'x25519') return 'ECDH-ES+A256KW'
  if (type === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(details?.namedCurve ?? '')) return 'ECDH-ES+A256KW'
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= rsaBitsMin) return 'RSA-OAEP-256'
  throw new UnusableKey(`its kind is none of P-256, P-384, P-521, X25519, and RSA of ${rsaBitsMin} bits or more`)
}

const thumbprintOf = (key: KeyObject) => calculateJwkThumbprint(key.export({ format: 'jwk' }) as JWK)

type CreateKey = typeof createPrivateKey | typeof createPublicKey

function tryKey(text: string, create: CreateKey): KeyObject | undefined {
  try {
    return text.trimStart().startsWith('{') ? create({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' }) : create(text)
  } catch {
    return undefined
  }
}
