import { createPrivateKey } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { ownMethod, signatureOf } from './algorithms.ts'
import type { NameId } from './identity.ts'
import { namespaces, postBinding, redirectBinding, rsaSha256, success } from './names.ts'
import { escaped } from './xml.ts'

/** What all our messages have in common. */
interface Message {
  /** Begins with a letter or an underscore, as an XML ID does. */
  id: string
  issuedAt: Date
  /** The provider's address to which it goes. */
  destination: string
  issuer: string
}

/** A request of ours to authenticate a user (Core §3.4.1). */
export interface AuthnRequest extends Message {
  acsUrl: string
  /** Whether the provider has to authenticate the user anew. */
  isNewSignIn: boolean
}

export const authnRequest = ({ acsUrl, isNewSignIn, ...message }: AuthnRequest): string =>
  messageOf('AuthnRequest', message, {
    ...(isNewSignIn && { ForceAuthn: 'true' }),
    ProtocolBinding: postBinding,
    AssertionConsumerServiceURL: acsUrl,
  })

/** A session at the provider, as its assertion has named it. */
export interface SessionAtProvider {
  nameId: NameId
  sessionIndex: string | undefined
}

/** A request of ours to end a session at the provider (Core §3.7.1). */
export function logoutRequest({ nameId, sessionIndex, ...message }: Message & SessionAtProvider): string {
  const { value, format, nameQualifier, spNameQualifier } = nameId
  const attributes = {
    Format: format,
    ...(nameQualifier !== undefined && { NameQualifier: nameQualifier }),
    ...(spNameQualifier !== undefined && { SPNameQualifier: spNameQualifier }),
  }
  const index = sessionIndex === undefined ? '' : `<samlp:SessionIndex>${escaped(sessionIndex)}</samlp:SessionIndex>`
  return messageOf('LogoutRequest', message, {}, `<saml:NameID${written(attributes)}>${escaped(value)}</saml:NameID>${index}`)
}

/** Says that the sessions of a request have ended here (Core §3.7.2). */
export const logoutResponse = ({ inResponseTo, ...message }: Message & { inResponseTo: string }): string =>
  messageOf(
    'LogoutResponse',
    message,
    { InResponseTo: inResponseTo },
    `<samlp:Status><samlp:StatusCode${written({ Value: success })}/></samlp:Status>`,
  )

function messageOf(
  name: 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse',
  { id, issuedAt, destination, issuer }: Message,
  further: Readonly<Record<string, string>>,
  content = '',
): string {
  const attributes = {
    'xmlns:samlp': namespaces.protocol,
    'xmlns:saml': namespaces.assertion,
    ID: id,
    Version: '2.0',
    IssueInstant: instantOf(issuedAt),
    Destination: destination,
    ...further,
  }
  return `<samlp:${name}${written(attributes)}><saml:Issuer>${escaped(issuer)}</saml:Issuer>${content}</samlp:${name}>`
}

export interface OwnMetadata {
  entityId: string
  acsUrl: string
  /** Where the provider sends requests and responses of single logout; undefined where there is none. */
  sloUrl: string | undefined
  /** The certificates of published keys, in PEM: the present ones first. */
  signingCertificates: readonly string[]
  encryptionCertificates: readonly string[]
}

/** What an identity provider has to know of a connection (Metadata §2.4.4), unsigned. */
export function ownMetadata({ entityId, acsUrl, sloUrl, signingCertificates, encryptionCertificates }: OwnMetadata): string {
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
  const logout = sloUrl === undefined ? [] : [redirectBinding, postBinding].map((Binding) => ({ Binding, Location: sloUrl }))
  // No NameIDFormat: a provider that reads several takes any of them, and one that reads none the format it was told to send.
  return (
    `<md:EntityDescriptor${written({ 'xmlns:md': namespaces.metadata, 'xmlns:ds': namespaces.signature, ID: '_metadata', entityID: entityId })}>` +
    `<md:SPSSODescriptor${written({ AuthnRequestsSigned: 'true', WantAssertionsSigned: 'true', protocolSupportEnumeration: namespaces.protocol })}>` +
    `${keys.join('')}` +
    logout.map((service) => `<md:SingleLogoutService${written(service)}/>`).join('') +
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
  message: { kind: 'SAMLRequest' | 'SAMLResponse'; xml: string; relayState: string | undefined },
  { privateKey, further = {} }: { privateKey: string; further?: Readonly<Record<string, string>> },
): URL {
  const { kind, xml, relayState } = message
  const parameters: [string, string][] = [
    [kind, deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState] as [string, string]]),
    ['SigAlg', rsaSha256],
  ]
  const signed = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const signature = signatureOf(ownMethod, signed, createPrivateKey(privateKey))
  const more = Object.entries(further).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
  const separator = location.includes('?') ? '&' : '?'
  return new URL(`${location}${separator}${signed}&Signature=${encodeURIComponent(signature)}${more.join('')}`)
}
