import { constants, createHash, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { isStorableTime } from '../../platform/clock.ts'

export interface SignatureMethod {
  hash: string
  keyType: 'rsa' | 'ec'
  isPss?: boolean
}

/** The one that we sign with. */
export const ownMethod: SignatureMethod = { hash: 'sha256', keyType: 'rsa' }

/** SHA-256 or better, by a key of a certificate. HMAC is not among them: its key would be the certificate, which is public. */
export const signatureMethods: ReadonlyMap<string, SignatureMethod> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', { hash: 'sha256', keyType: 'rsa' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', { hash: 'sha384', keyType: 'rsa' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', { hash: 'sha512', keyType: 'rsa' }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', { hash: 'sha256', keyType: 'rsa', isPss: true }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha384-rsa-MGF1', { hash: 'sha384', keyType: 'rsa', isPss: true }],
  ['http://www.w3.org/2007/05/xmldsig-more#sha512-rsa-MGF1', { hash: 'sha512', keyType: 'rsa', isPss: true }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', { hash: 'sha256', keyType: 'ec' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', { hash: 'sha384', keyType: 'ec' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', { hash: 'sha512', keyType: 'ec' }],
])

export const digestMethods: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

export const digestOf = (hash: string, text: string): string => createHash(hash).update(text, 'utf8').digest('base64')

export function isSignedBy(method: SignatureMethod, text: string, key: KeyObject, signature: string): boolean {
  // A signature of one kind says nothing by a key of another.
  if (key.asymmetricKeyType !== method.keyType) return false
  return verify(method.hash, Buffer.from(text), optionsOf(method, key), Buffer.from(signature, 'base64'))
}

export const signatureOf = (method: SignatureMethod, text: string, key: KeyObject): string =>
  sign(method.hash, Buffer.from(text), optionsOf(method, key)).toString('base64')

const optionsOf = ({ isPss, keyType }: SignatureMethod, key: KeyObject) => ({
  key,
  ...(keyType === 'ec' && { dsaEncoding: 'ieee-p1363' as const }),
  ...(isPss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
})

const rsaBitsMin = 2_048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** Whether a key is strong enough to be trusted: RSA of 2048 bits or more, or a curve of P-256 or better. */
export function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin
  return asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve ?? '')
}

/** A certificate, in PEM or as its base64 alone; undefined when it is none, or has a key or a time that cannot be read. */
export function certificateOf(text: string): X509Certificate | undefined {
  const [, body = text] = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(text) ?? []
  const base64 = body.replaceAll(/\s/g, '')
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return undefined
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    // Of a kind of key that is unknown, reading the key throws.
    const { validFrom, validTo, publicKey } = certificate
    return publicKey && [validFrom, validTo].every((time) => isStorableTime(new Date(time))) ? certificate : undefined
  } catch {
    return undefined
  }
}
