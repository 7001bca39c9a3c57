import { base64url } from 'jose'
import { AccessRefused } from './errors.ts'

/** PEM, also as proxies encode it for a header; DER, as bytes or in Base64; or the SHA-256 thumbprint, in base64url. */
export type Certificate = string | Uint8Array

const thumbprint = /^[\w-]{43}$/
const pem = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/

/**
 * What `cnf["x5t#S256"]` of a token has to be (RFC 8705 §3.1).
 *
 * @throws AccessRefused `invalid-token` for what is no certificate
 */
export async function thumbprintOf(certificate: Certificate): Promise<string> {
  if (typeof certificate === 'string' && thumbprint.test(certificate)) return certificate
  const der = typeof certificate === 'string' ? derOf(certificate) : certificate
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(der))))
}

function derOf(text: string): Uint8Array {
  try {
    const decoded = text.includes('%') ? decodeURIComponent(text) : text
    // A header of RFC 9440 has colons around it.
    const encoded = (pem.exec(decoded)?.[1] ?? decoded).replaceAll(/[\s:]/g, '')
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
  } catch (cause) {
    throw new AccessRefused('invalid-token', 'The client certificate cannot be read', { cause })
  }
}
