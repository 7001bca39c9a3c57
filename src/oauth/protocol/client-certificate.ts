/** Certificates of clients (RFC 8705), which a proxy has received in the TLS handshake and hands on in a header. */
import { hash, type KeyObject, X509Certificate } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { say } from '../../../shared/checks/said.ts'
import { isSameName, parseName, parseSubject, renderName } from '../../clients/distinguished-names.ts'
import { keyObjectOf } from '../../clients/key-objects.ts'
import { keyMistake } from '../../clients/public-keys.ts'
import type { PublicKey, TlsClientAuth } from '../../platform/database/column-types.ts'
import { canonicalAddress } from '../../platform/http/addresses.ts'
import { cutText } from '../../platform/text.ts'
import type { ClientKeySets } from './client-key-sets.ts'
import { type ConcernedClient, type FailedCheck, OAuthError } from './errors.ts'
import { type KeysOfClient, keysOf } from './signed-by-client.ts'

/** How the proxy hands certificates on. */
export interface CertificateHeaders {
  /** `client-cert` in the form of RFC 9440; in a header of any other name, PEM in the encoding of URLs. */
  certificateHeader: string
  /** Says `SUCCESS` if an authority that the proxy trusts has issued the certificate. */
  verifiedHeader: string
  /** The origin at which the proxy asks for certificates; undefined if it is that of `PUBLIC_URL`. */
  publicUrl: string | undefined
}

export interface CertificateDependencies {
  /** Undefined while the extension is off: no header is read. */
  mtls: CertificateHeaders | undefined
  isTrustedProxy: ((address: string) => boolean) | undefined
}

/** A certificate as a request brings it. */
export interface PresentedCertificate {
  isVerified: boolean
  /** Undefined for what is no certificate, or for several. */
  read(): X509Certificate | undefined
}

/** More than any certificate of a client: the header is as long as that in the encoding of URLs. */
const headerLengthMax = 12_288
const shownLengthMax = 400

export type FindCertificate = (request: FastifyRequest) => PresentedCertificate | undefined

/** Finds the certificates of requests. Headers are believed only from a proxy that the operator trusts. */
export function findCertificates({ mtls, isTrustedProxy }: CertificateDependencies): FindCertificate {
  if (!mtls) return () => undefined
  const { certificateHeader, verifiedHeader } = mtls
  const parse = certificateHeader === 'client-cert' ? bytesOfField : bytesOfEncodedPem
  let hasWarned = false
  return (request) => {
    const sent = request.headers[certificateHeader]
    // A proxy that sets the header to the certificate of the connection sends nothing, or this, where there is none.
    if (sent === undefined || sent === '' || sent === '::') return undefined
    const from = request.socket.remoteAddress ?? ''
    if (!isTrustedProxy?.(from)) {
      // Once: anyone can send the header.
      if (!hasWarned) request.log.warn({ from }, `${certificateHeader} is ignored: it did not come from an address of TRUST_PROXY`)
      hasWarned = true
      return undefined
    }
    return {
      isVerified: request.headers[verifiedHeader] === 'SUCCESS',
      read: () => (typeof sent === 'string' && sent.length <= headerLengthMax ? readCertificate(parse(sent)) : undefined),
    }
  }
}

/** RFC 9440 §2.1: one item of RFC 8941, a sequence of bytes. */
const bytesOfField = (value: string): Buffer | undefined => base64Of(/^ *:([a-z0-9+/]+={0,2}): *$/i.exec(value)?.[1])

/** One certificate in the encoding of RFC 7468, percent-encoded. */
function bytesOfEncodedPem(value: string): Buffer | undefined {
  try {
    const text = decodeURIComponent(value)
    return base64Of(/^\s*-----BEGIN CERTIFICATE-----\s([a-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/i.exec(text)?.[1])
  } catch {
    // It is not percent-encoded.
    return undefined
  }
}

const base64Of = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text, 'base64'))

function readCertificate(bytes: Buffer | undefined): X509Certificate | undefined {
  if (!bytes) return undefined
  try {
    const certificate = new X509Certificate(bytes)
    // Bytes after it could be a second one, and text in it the PEM of another.
    return certificate.raw.equals(bytes) ? certificate : undefined
  } catch {
    return undefined
  }
}

/** The thumbprint of the certificate of a request (RFC 8705 §3.1); undefined when it has none that can be read. */
export function thumbprintOf(presented: PresentedCertificate | undefined): string | undefined {
  const certificate = presented?.read()
  return certificate && hash('sha256', certificate.raw, 'base64url')
}

/** The origin of the address that a request was sent to: that of certificates is another one (RFC 8705 §5). */
export function originAsked({ issuer, mtls }: { issuer: string; mtls: CertificateHeaders | undefined }, request: FastifyRequest): string {
  const alias = mtls?.publicUrl
  if (alias === undefined) return issuer
  const { protocol, host } = new URL(alias)
  return URL.parse(`${protocol}//${request.host}`)?.host === host ? alias : issuer
}

const failed = (expected: FailedCheck['expected'], received: FailedCheck['received']): FailedCheck => ({
  name: 'client_certificate',
  expected,
  received,
})

/** What is known of a client that authenticates by a certificate. */
interface ClientWithCertificate extends KeysOfClient {
  tokenEndpointAuthMethod: 'tls_client_auth' | 'self_signed_tls_client_auth'
  tlsClientAuth: TlsClientAuth | null
}

/** Checks the certificate by which a client authenticates (RFC 8705 §2); undefined when it is the client's. */
export async function whyCertificateRefused(
  keySets: () => Promise<ClientKeySets>,
  client: ClientWithCertificate,
  presented: PresentedCertificate | undefined,
  now: Date,
): Promise<FailedCheck | undefined> {
  const certificate = presented?.read()
  if (!presented || !certificate) return failed(say('a-certificate'), say(presented ? 'no-certificate' : 'none'))
  if (client.tokenEndpointAuthMethod === 'self_signed_tls_client_auth') return whyNotOwn(keySets, client, certificate, now)
  if (!presented.isVerified) return failed(say('a-verified-certificate'), say('a-certificate-not-verified'))
  return whyNotNamed(client.tlsClientAuth ?? {}, certificate)
}

/** RFC 8705 §2.2: no authority answers for it, so its key has to be one of the client's. */
async function whyNotOwn(
  keySets: () => Promise<ClientKeySets>,
  client: KeysOfClient,
  certificate: X509Certificate,
  now: Date,
): Promise<FailedCheck | undefined> {
  // The texts, since Node makes `validFromDate` of a time that cannot be read from memory that nothing has written: now and then it is a date.
  const [validFrom, validTo] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  const publicKey = keyOf(certificate)
  const isReadable = publicKey && !Number.isNaN(validFrom.getTime()) && !Number.isNaN(validTo.getTime())
  if (!isReadable) return failed(say('a-certificate'), say('no-certificate'))
  if (!(now >= validFrom && now < validTo))
    return failed(say('a-certificate-that-is-valid'), say('a-certificate-of-the-time', validFrom.toISOString(), validTo.toISOString()))
  const isItsKey = (key: PublicKey) => keyMistake({ ...key }) === undefined && keyObjectOf(key).equals(publicKey)
  const found = await keysOf(keySets, client, (keys) => keys.some(isItsKey))
  if ('failure' in found) return failed(say('a-document-with-keys-at', String(client.jwksUri)), cutText(found.failure, shownLengthMax))
  return found.keys.some(isItsKey) ? undefined : failed(say('a-key-of-the-client'), say('another-value'))
}

/** The key of a certificate; undefined for one of a kind that is unknown. */
function keyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey
  } catch {
    return undefined
  }
}

/** RFC 8705 §2.1. */
function whyNotNamed(expected: TlsClientAuth, certificate: X509Certificate): FailedCheck | undefined {
  const { subjectDn, sanDns, sanUri, sanIp, sanEmail } = expected
  if (subjectDn !== undefined) {
    const [known, subject] = [parseName(subjectDn), parseSubject(certificate.subject ?? '')]
    if (known && subject && isSameName(known, subject)) return undefined
    return failed(subjectDn, subject ? cutText(renderName(subject), shownLengthMax) : say('something-else'))
  }
  const names = alternativeNames(certificate.subjectAltName)
  const isNamed =
    (sanDns !== undefined && names.some(({ kind, value }) => kind === 'DNS' && value.toLowerCase() === sanDns)) ||
    (sanUri !== undefined && names.some(({ kind, value }) => kind === 'URI' && value === sanUri)) ||
    (sanIp !== undefined && names.some(({ kind, value }) => kind === 'IP Address' && canonicalAddress(value) === sanIp)) ||
    (sanEmail !== undefined && names.some(({ kind, value }) => kind === 'email' && value === sanEmail))
  if (isNamed) return undefined
  return failed(sanDns ?? sanUri ?? sanIp ?? sanEmail, cutText(certificate.subjectAltName ?? say('none').text, shownLengthMax))
}

/** The alternative names as Node describes them. It puts a value in quotes, as JSON, that could be taken for several. */
function alternativeNames(text = ''): { kind: string; value: string }[] {
  return [...text.matchAll(/(?<=^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?=, |$)/g)].map(([, kind = '', value = '']) => ({
    kind,
    value: value.startsWith('"') ? String(JSON.parse(value)) : value,
  }))
}

/** The refusal of a request without a certificate that needs one to bind its tokens to (RFC 8705 §3). */
export const certificateRequired = (presented: PresentedCertificate | undefined, client: ConcernedClient, isOff: boolean) =>
  new OAuthError(
    'invalid_request',
    'the client requires a certificate',
    {
      ...failed(say('a-certificate'), say(presented ? 'no-certificate' : 'none')),
      hint: isOff ? say('extension-is-off', 'mtls') : undefined,
    },
    { client },
  )
