import { base64url } from 'jose'

/** The first certificate of a text in PEM, which is that of the client: those of its authorities follow. */
const bytesOf = (pem: string) => {
  const [, text = ''] = /-----BEGIN CERTIFICATE-----([\w+/=\s]+)-----END CERTIFICATE-----/.exec(pem) ?? []
  return Uint8Array.from(atob(text.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
}

export const isCertificate = (pem: string) => bytesOf(pem).length > 0

/** The `x5t#S256` of tokens that are bound to the certificate (RFC 8705 §3.1). */
export const thumbprintOfCertificate = async (pem: string): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(pem))))
