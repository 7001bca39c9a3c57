import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  type KeyObject,
  privateDecrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { namespaces } from './names.ts'
import { onlyChildOf, textIn, withDescendants, type XmlElement } from './xml.ts'

/** Which algorithm something encrypted names, for a refusal to show. */
export interface UnknownAlgorithm {
  unknownAlgorithm: string
}

interface Padding {
  digest: 'sha1' | 'sha256'
  mask: 'sha1' | 'sha256'
}

const contentAlgorithms: Readonly<Record<string, { cipher: 'aes-128-gcm' | 'aes-256-gcm'; keyBytes: number }>> = {
  [`${namespaces.encryption11}aes128-gcm`]: { cipher: 'aes-128-gcm', keyBytes: 16 },
  [`${namespaces.encryption11}aes256-gcm`]: { cipher: 'aes-256-gcm', keyBytes: 32 },
}
const digests: Readonly<Record<string, Padding['digest']>> = {
  [`${namespaces.signature}sha1`]: 'sha1',
  [`${namespaces.encryption}sha256`]: 'sha256',
}
const masks: Readonly<Record<string, Padding['mask']>> = {
  [`${namespaces.encryption11}mgf1sha1`]: 'sha1',
  [`${namespaces.encryption11}mgf1sha256`]: 'sha256',
}
const ivBytes = 12
const tagBytes = 16
// One for each recipient; more are no assertion for us.
const encryptedKeysMax = 5

/**
 * The text of an assertion that was encrypted for one of our keys (XML Encryption 1.1: RSA-OAEP with AES-GCM). Whatever is wrong with the
 * ciphertext, it is undefined, after the same work: who sends ciphertexts learns nothing from how one fails.
 *
 * @param element an `EncryptedAssertion`
 * @param privateKeys in PEM
 */
export function decrypted(element: XmlElement, privateKeys: readonly string[]): string | UnknownAlgorithm | undefined {
  const encrypted = onlyChildOf(element, namespaces.encryption, 'EncryptedData')
  const method = encrypted && onlyChildOf(encrypted, namespaces.encryption, 'EncryptionMethod')
  const name = method?.attributes.get('Algorithm') ?? ''
  const content = Object.hasOwn(contentAlgorithms, name) ? contentAlgorithms[name] : undefined
  if (!encrypted || !content) return { unknownAlgorithm: name }
  const wrapped = [...withDescendants(element)].filter(
    (inner) => inner.namespace === namespaces.encryption && inner.name === 'EncryptedKey',
  )
  const paddings = wrapped.slice(0, encryptedKeysMax).map((key) => ({ padding: paddingOf(key), bytes: cipherValueOf(key) }))
  const unknown = paddings.find(({ padding }) => 'unknownAlgorithm' in padding)?.padding
  if (unknown && 'unknownAlgorithm' in unknown) return unknown

  const bytes = cipherValueOf(encrypted)
  let found: string | undefined
  for (const privateKey of privateKeys.map((pem) => createPrivateKey(pem))) {
    for (const { padding, bytes: wrappedKey } of paddings) {
      if ('unknownAlgorithm' in padding) continue
      const key = unwrapped(wrappedKey, privateKey, padding)
      // A key of the wrong length, and one that could not be unwrapped, are replaced by one that opens nothing.
      const contentKey = key?.length === content.keyBytes ? key : randomBytes(content.keyBytes)
      found ??= opened(bytes, contentKey, content.cipher)
    }
  }
  return found
}

function paddingOf(key: XmlElement): Padding | UnknownAlgorithm {
  const method = onlyChildOf(key, namespaces.encryption, 'EncryptionMethod')
  const name = method?.attributes.get('Algorithm') ?? ''
  const isLater = name === `${namespaces.encryption11}rsa-oaep`
  if (!method || (!isLater && name !== `${namespaces.encryption}rsa-oaep-mgf1p`)) return { unknownAlgorithm: name }
  const digestName = onlyChildOf(method, namespaces.signature, 'DigestMethod')?.attributes.get('Algorithm') ?? `${namespaces.signature}sha1`
  const maskElement = isLater ? onlyChildOf(method, namespaces.encryption11, 'MGF') : undefined
  const maskName = maskElement?.attributes.get('Algorithm') ?? `${namespaces.encryption11}mgf1sha1`
  const digest = Object.hasOwn(digests, digestName) ? digests[digestName] : undefined
  const mask = Object.hasOwn(masks, maskName) ? masks[maskName] : undefined
  if (!digest || !mask) return { unknownAlgorithm: digest ? maskName : digestName }
  return { digest, mask }
}

function cipherValueOf(element: XmlElement): Buffer {
  const cipher = onlyChildOf(element, namespaces.encryption, 'CipherData')
  const value = cipher && onlyChildOf(cipher, namespaces.encryption, 'CipherValue')
  return Buffer.from(value ? textIn(value) : '', 'base64')
}

function unwrapped(wrapped: Buffer, key: KeyObject, { digest, mask }: Padding): Buffer | undefined {
  try {
    if (digest === mask) return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: digest }, wrapped)
    return withoutPadding(privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, wrapped), digest, mask)
  } catch {
    return undefined
  }
}

/** Takes the padding off (RFC 8017 §7.1.2 step 3), which Node does only where digest and mask have one hash. All of it is looked at before it is judged. */
function withoutPadding(block: Buffer, digest: string, mask: string): Buffer | undefined {
  const length = createHash(digest).digest().length
  const maskedSeed = block.subarray(1, 1 + length)
  const maskedData = block.subarray(1 + length)
  const seed = exclusiveOr(maskedSeed, maskOf(maskedData, maskedSeed.length, mask))
  const data = exclusiveOr(maskedData, maskOf(seed, maskedData.length, mask))
  const isOfLabel = timingSafeEqual(data.subarray(0, length), createHash(digest).digest())
  const separator = data.indexOf(1, length)
  const isPadded = separator !== -1 && data.subarray(length, separator).every((byte) => byte === 0)
  return block[0] === 0 && isOfLabel && isPadded ? data.subarray(separator + 1) : undefined
}

/** MGF1 (RFC 8017 §B.2.1). */
function maskOf(seed: Buffer, length: number, hash: string): Buffer {
  const counter = Buffer.alloc(4)
  const parts: Buffer[] = []
  for (let part = 0; Buffer.concat(parts).length < length; part++) {
    counter.writeUInt32BE(part)
    parts.push(createHash(hash).update(seed).update(counter).digest())
  }
  return Buffer.concat(parts).subarray(0, length)
}

const exclusiveOr = (left: Buffer, right: Buffer) => Buffer.from(left.map((byte, position) => byte ^ (right[position] ?? 0)))

function opened(bytes: Buffer, key: Buffer, cipher: 'aes-128-gcm' | 'aes-256-gcm'): string | undefined {
  // A shorter tag would be easier to guess.
  if (bytes.length < ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    return new TextDecoder('utf-8', { fatal: true }).decode(text)
  } catch {
    return undefined
  }
}
