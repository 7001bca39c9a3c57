import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const remedy = 'set SECRET_KEY to the key that this database was served with, and SECRET_KEY_PREVIOUS to the one before it while it changes'

/** Encrypts secrets at rest and keys the HMACs; every key in it is derived from `SECRET_KEY`. */
export interface Keyring {
  /**
   * Encrypts with AES-256-GCM.
   * @param context the owner of the secret, such as a row's id: the text decrypts only with the same context
   * @returns `<key id>.<base64url of nonce, ciphertext and tag>`
   */
  encrypt(plaintext: string, context: string): string
  /** Throws when the text was made with another context or an unknown key, or was changed. */
  decrypt(encrypted: string, context: string): string
  /** HMAC-SHA256 of a message, base64url; each purpose has its own key. */
  hmac(purpose: string, message: string): string
  /** The prefix of everything that it encrypts. */
  readonly keyId: string
  /** The prefix of everything that was encrypted with the previous key; undefined without such a key. */
  readonly previousKeyId: string | undefined
}

// Use key objects: with plain bytes Node finds out by an exception each time that they are none, which costs more than the cipher.
interface Key {
  readonly id: string
  readonly encryption: KeyObject
  readonly master: Buffer
}

/**
 * @param secretKey 32 bytes, encrypts and keys the HMACs
 * @param previousSecretKey 32 bytes, decrypts only, during a change of key
 */
export function createKeyring(secretKey: Buffer, previousSecretKey?: Buffer): Keyring {
  const current = deriveKey(secretKey)
  const previous = previousSecretKey && deriveKey(previousSecretKey)
  const keys = new Map([current, ...(previous ? [previous] : [])].map((key) => [key.id, key]))
  const hmacKeys = new Map<string, KeyObject>()

  return {
    keyId: current.id,
    previousKeyId: previous && previous.id !== current.id ? previous.id : undefined,

    encrypt(plaintext, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, current.encryption, nonce).setAAD(Buffer.from(context))
      const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${current.id}.${sealed.toString('base64url')}`
    },

    decrypt(encrypted, context) {
      const [keyId = '', sealedText = ''] = encrypted.split('.')
      const key = keys.get(keyId)
      if (!key)
        throw new Error(`The secret was encrypted with key ${keyId}, which is neither SECRET_KEY nor SECRET_KEY_PREVIOUS: ${remedy}`)
      const sealed = Buffer.from(sealedText, 'base64url')
      const decipher = createDecipheriv(algorithm, key.encryption, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')
    },

    hmac(purpose, message) {
      let key = hmacKeys.get(purpose)
      if (!key) {
        key = createSecretKey(derive(current.master, `hmac ${purpose}`))
        hmacKeys.set(purpose, key)
      }
      return createHmac('sha256', key).update(message).digest('base64url')
    },
  }
}

function deriveKey(master: Buffer): Key {
  const encryption = derive(master, 'encryption')
  return { id: createHash('sha256').update(encryption).digest('hex').slice(0, 8), encryption: createSecretKey(encryption), master }
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `gatehouse ${purpose}`, 32))
}
