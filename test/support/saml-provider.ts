import {
  constants,
  createCipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { generate } from 'selfsigned'
import { SignedXml } from 'xml-crypto'

/** An identity provider of SAML that says whatever a test wants it to say. */
export interface SamlProvider {
  entityId: string
  certificate: string
  privateKey: string
}

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

/** @param options of the key, RSA of 2048 bits unless it says otherwise, and of its certificate */
export async function samlProvider(options: { keyType?: 'rsa' | 'ec'; keySize?: number; notAfterDate?: Date } = {}): Promise<SamlProvider> {
  const { private: privateKey, cert: certificate } = await generate([{ name: 'commonName', value: 'idp.test' }], {
    algorithm: 'sha256',
    ...options,
  })
  return { entityId: 'https://idp.test/metadata', certificate, privateKey }
}

export const base64Of = ({ certificate }: Pick<SamlProvider, 'certificate'>) => certificate.replaceAll(/-----[A-Z ]+-----|\s/g, '')

/** The certificate, in base64, with an end that is no time, or a key of a kind that is unknown. */
export function unreadable(provider: Pick<SamlProvider, 'certificate'>, what: 'end' | 'key'): string {
  const bytes = Buffer.from(base64Of(provider), 'base64')
  const utcTime = Buffer.from([0x17, 13])
  const rsaEncryption = Buffer.from('2a864886f70d010101', 'hex')
  if (what === 'end') bytes.write('991332256199Z', bytes.indexOf(utcTime, bytes.indexOf(utcTime) + 15) + utcTime.length, 'latin1')
  else bytes[bytes.indexOf(rsaEncryption) + rsaEncryption.length - 1] = 0xff
  return bytes.toString('base64')
}

export interface Signing {
  /** The ID of the element to sign. */
  id: string
  algorithm?: string
  digest?: string
  transforms?: readonly string[]
  canonicalization?: string
  /** In place of the provider's key: for HMAC, the text of the certificate. */
  key?: string
}

/** Signs one element of a document, with the signature after its Issuer. */
export function signed(
  provider: SamlProvider,
  xml: string,
  { id, algorithm = rsaSha256, digest = sha256, transforms, canonicalization, key }: Signing,
): string {
  const signer = new SignedXml({
    privateKey: key ?? provider.privateKey,
    publicCert: provider.certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonicalization ?? exclusive,
  })
  if (algorithm.includes('ecdsa')) signer.SignatureAlgorithms[algorithm] = ecdsa(algorithm)
  if (algorithm.includes('hmac')) signer.SignatureAlgorithms[algorithm] = hmac(algorithm)
  const xpath = `//*[@ID='${id}']`
  signer.addReference({ xpath, transforms: transforms ?? [enveloped, exclusive], digestAlgorithm: digest })
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: `${xpath}/*[local-name()='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

const ecdsa = (name: string) =>
  class {
    getAlgorithmName = () => name
    verifySignature = () => false
    getSignature = (text: unknown, key: unknown) =>
      sign('sha256', Buffer.from(String(text)), { key: createPrivateKey(String(key)), dsaEncoding: 'ieee-p1363' }).toString('base64')
  }

const hmac = (name: string) =>
  class {
    getAlgorithmName = () => name
    verifySignature = () => false
    getSignature = (text: unknown, key: unknown) => createHmac('sha256', String(key)).update(String(text)).digest('base64')
  }

export interface AssertionValues {
  id: string
  issuer: string
  nameId: string
  recipient: string
  audience: string
  inResponseTo: string
  now: Date
  attributes?: Readonly<Record<string, readonly string[]>>
  /** Pieces that take the place of the ordinary ones. */
  subject?: string
  conditions?: string
  statement?: string
}

export const at = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000).toISOString()

export function assertionOf(values: AssertionValues): string {
  const { id, issuer, nameId, recipient, audience, inResponseTo, now, attributes = {} } = values
  const subject =
    values.subject ??
    `<saml:Subject>${nameId}<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${recipient}" InResponseTo="${inResponseTo}" NotOnOrAfter="${at(now, 300)}"/></saml:SubjectConfirmation></saml:Subject>`
  const conditions =
    values.conditions ??
    `<saml:Conditions NotBefore="${at(now, -5)}" NotOnOrAfter="${at(now, 300)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`
  const statement =
    values.statement ??
    `<saml:AuthnStatement AuthnInstant="${at(now, -30)}" SessionIndex="_session1"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
  const written = Object.entries(attributes).map(
    ([name, all]) =>
      `<saml:Attribute Name="${name}">${all.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  const attributeStatement = written.length > 0 ? `<saml:AttributeStatement>${written.join('')}</saml:AttributeStatement>` : ''
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${at(now, 0)}"><saml:Issuer>${issuer}</saml:Issuer>${subject}${conditions}${statement}${attributeStatement}</saml:Assertion>`
}

export interface ResponseValues {
  id: string
  issuer: string
  destination: string | undefined
  now: Date
  status?: string
}

export function responseOf({ id, issuer, destination, now, status }: ResponseValues, content: string): string {
  const code = status ?? '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/>'
  const to = destination === undefined ? '' : ` Destination="${destination}"`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${id}" Version="2.0" IssueInstant="${at(now, 0)}"${to}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer><samlp:Status>${code}</samlp:Status>${content}</samlp:Response>`
}

export interface Encryption {
  keyAlgorithm?: string
  /** What follows the algorithm of the key, such as the digest. */
  keyOptions?: string
  hash?: string
  contentAlgorithm?: string
}

/** Encrypts an assertion for a certificate, by RSA-OAEP and AES-256-GCM. */
export function encryptedAssertion(assertion: string, certificate: string, encryption: Encryption = {}): string {
  const { keyAlgorithm = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p', keyOptions = '', hash = 'sha1' } = encryption
  const { contentAlgorithm = 'http://www.w3.org/2009/xmlenc11#aes256-gcm' } = encryption
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const content = Buffer.concat([iv, cipher.update(assertion, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  const wrapped = publicEncrypt({ key: createPublicKey(certificate), padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hash }, key)
  return encryptedXml({ keyAlgorithm, keyOptions, contentAlgorithm, wrapped, content })
}

/** The same with SHA-256 as the digest of the padding and SHA-1 in its mask, which is what `rsa-oaep-mgf1p` with a digest means. */
export function encryptedWithMixedHashes(assertion: string, certificate: string): string {
  const publicKey = createPublicKey(certificate)
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const content = Buffer.concat([iv, cipher.update(assertion, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  const length = (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  const label = createHash('sha256').digest()
  const data = Buffer.concat([label, Buffer.alloc(length - key.length - 2 * label.length - 2), Buffer.from([1]), key])
  const seed = randomBytes(label.length)
  const maskedData = exclusiveOr(data, mgf1(seed, data.length))
  const maskedSeed = exclusiveOr(seed, mgf1(maskedData, seed.length))
  const block = Buffer.concat([Buffer.from([0]), maskedSeed, maskedData])
  const wrapped = publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, block)
  const keyOptions = '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>'
  const keyAlgorithm = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
  return encryptedXml({ keyAlgorithm, keyOptions, contentAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm', wrapped, content })
}

const exclusiveOr = (left: Buffer, right: Buffer) => Buffer.from(left.map((byte, position) => byte ^ (right[position] ?? 0)))

function mgf1(seed: Buffer, length: number): Buffer {
  const parts = Array.from({ length: Math.ceil(length / 20) }, (_part, counter) =>
    createHash('sha1')
      .update(seed)
      .update(Buffer.from([0, 0, 0, counter]))
      .digest(),
  )
  return Buffer.concat(parts).subarray(0, length)
}

interface EncryptedParts {
  keyAlgorithm: string
  keyOptions: string
  contentAlgorithm: string
  wrapped: Buffer
  content: string
}

const encryptedXml = ({ keyAlgorithm, keyOptions, contentAlgorithm, wrapped, content }: EncryptedParts) =>
  `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" xmlns:ds="${signatureNamespace}" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="${contentAlgorithm}"/><ds:KeyInfo><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${keyAlgorithm}">${keyOptions}</xenc:EncryptionMethod><xenc:CipherData><xenc:CipherValue>${wrapped.toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>${content}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>`

export const posted = (xml: string) => Buffer.from(xml).toString('base64')

export interface LogoutRequestValues {
  id: string
  issuer: string
  destination: string
  nameId: string
  sessionIndexes?: readonly string[]
  issuedAt: Date
  notOnOrAfter?: Date
}

export function logoutRequestOf({
  id,
  issuer,
  destination,
  nameId,
  sessionIndexes = [],
  issuedAt,
  notOnOrAfter,
}: LogoutRequestValues): string {
  const indexes = sessionIndexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')
  const end = notOnOrAfter ? ` NotOnOrAfter="${notOnOrAfter.toISOString()}"` : ''
  return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${destination}"${end}><saml:Issuer>${issuer}</saml:Issuer>${nameId}${indexes}</samlp:LogoutRequest>`
}

/** The query of a message by the Redirect binding, with a signature over it as it stands. */
export function redirectedQuery(
  { privateKey }: SamlProvider,
  xml: string,
  { relayState, algorithm = rsaSha256, hash = 'sha256' }: { relayState?: string; algorithm?: string; hash?: string } = {},
): string {
  const state = relayState === undefined ? '' : `&RelayState=${encodeURIComponent(relayState)}`
  const signedPart = `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}${state}&SigAlg=${encodeURIComponent(algorithm)}`
  const signature = sign(hash, Buffer.from(signedPart), createPrivateKey(privateKey)).toString('base64')
  return `${signedPart}&Signature=${encodeURIComponent(signature)}`
}
