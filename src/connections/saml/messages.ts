import { createPrivateKey } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { ownMethod, signatureOf } from './algorithms.ts'
import { namespaces, postBinding, rsaSha256 } from './names.ts'
import { escaped } from './xml.ts'

/** A request of ours to authenticate a user (Core §3.4.1). */
export interface AuthnRequest {
  /** Begins with a letter or an underscore, as an XML ID does. */
  id: string
  issuedAt: Date
  /** The provider's address to which it goes. */
  destination: string
  issuer: string
  acsUrl: string
  /** Whether the provider has to authenticate the user anew. */
  isNewSignIn: boolean
}

export function authnRequest({ id, issuedAt, destination, issuer, acsUrl, isNewSignIn }: AuthnRequest): string {
  const attributes = {
    'xmlns:samlp': namespaces.protocol,
    'xmlns:saml': namespaces.assertion,
    ID: id,
    Version: '2.0',
    IssueInstant: instantOf(issuedAt),
    Destination: destination,
    ...(isNewSignIn && { ForceAuthn: 'true' }),
    ProtocolBinding: postBinding,
    AssertionConsumerServiceURL: acsUrl,
  }
  return `<samlp:AuthnRequest${written(attributes)}><saml:Issuer>${escaped(issuer)}</saml:Issuer></samlp:AuthnRequest>`
}

export interface OwnMetadata {
  entityId: string
  acsUrl: string
  /** The certificates of published keys, in PEM: the present ones first. */
  signingCertificates: readonly string[]
  encryptionCertificates: readonly string[]
}

/** What an identity provider has to know of a connection (Metadata §2.4.4), unsigned. */
export function ownMetadata({ entityId, acsUrl, signingCertificates, encryptionCertificates }: OwnMetadata): string {
  const methods = [
    `${namespaces.encryption11}aes256-gcm`,
    `${namespaces.encryption11}aes128-gcm`,
    `${namespaces.encryption11}rsa-oaep`,
    `${namespaces.encryption}rsa-oaep-mgf1p`,
  ]
  const encryption = methods.map((algorithm) => `<md:EncryptionMethod${written({ Algorithm: algorithm })}/>`).join('')
  const keys = [
    ...signingCertificates.map((certificate) => keyDescriptor('signing', certificate)),
    ...encryptionCertificates.map((certificate) => keyDescriptor('encryption', certificate, encryption)),
  ]
  // No NameIDFormat: a provider that reads several takes any of them, and one that reads none the format it was told to send.
  return (
    `<md:EntityDescriptor${written({ 'xmlns:md': namespaces.metadata, 'xmlns:ds': namespaces.signature, ID: '_metadata', entityID: entityId })}>` +
    `<md:SPSSODescriptor${written({ AuthnRequestsSigned: 'true', WantAssertionsSigned: 'true', protocolSupportEnumeration: namespaces.protocol })}>` +
    `${keys.join('')}` +
    `<md:AssertionConsumerService${written({ Binding: postBinding, Location: acsUrl, index: '0', isDefault: 'true' })}/>` +
    `</md:SPSSODescriptor></md:EntityDescriptor>`
  )
}

const keyDescriptor = (use: string, pem: string, methods = '') =>
  `<md:KeyDescriptor${written({ use })}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')}` +
  `</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${methods}</md:KeyDescriptor>`

const written = (attributes: Readonly<Record<string, string>>) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')

/** A time in UTC without fractions, which some providers do not read. */
const instantOf = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z')

/**
 * The address to which the Redirect binding sends a browser, with a signature over its parameters (Bindings §3.4.4.1).
 *
 * @param location may have a query of its own
 * @param further parameters of no binding, such as `login_hint`: they are not signed
 */
export function redirectUrlOf(
  location: string,
  message: { kind: 'SAMLRequest' | 'SAMLResponse'; xml: string; relayState: string },
  { privateKey, further = {} }: { privateKey: string; further?: Readonly<Record<string, string>> },
): URL {
  const { kind, xml, relayState } = message
  const parameters: [string, string][] = [
    [kind, deflateRawSync(xml).toString('base64')],
    ['RelayState', relayState],
    ['SigAlg', rsaSha256],
  ]
  const signed = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const signature = signatureOf(ownMethod, signed, createPrivateKey(privateKey))
  const more = Object.entries(further).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
  const separator = location.includes('?') ? '&' : '?'
  return new URL(`${location}${separator}${signed}&Signature=${encodeURIComponent(signature)}${more.join('')}`)
}
