import { certificateOf, isStrong } from './algorithms.ts'

/** A certificate of an identity provider that is trusted. */
export interface TrustedCertificate {
  /** Its base64, without the lines around it. */
  certificate: string
  /** SHA-256 of it, in hexadecimal. */
  fingerprint: string
  notBefore: Date
  notAfter: Date
}

/** So many are trusted at once: a provider that replaces its certificate publishes two. */
const certificatesMax = 5

/** A certificate that may be trusted; undefined when the text is none, or its key is too weak. Its dates do not matter: it is a key. */
export function trustedCertificate(text: string): TrustedCertificate | undefined {
  const certificate = certificateOf(text)
  if (!certificate || !isStrong(certificate.publicKey)) return undefined
  return {
    certificate: certificate.raw.toString('base64'),
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
  }
}

/** Each certificate once, and of too many those that expire last. */
export function trustedOf(certificates: readonly TrustedCertificate[]): TrustedCertificate[] {
  const different = new Map(certificates.map((one) => [one.fingerprint, one]))
  return [...different.values()].sort((left, right) => right.notAfter.getTime() - left.notAfter.getTime()).slice(0, certificatesMax)
}

const dayMilliseconds = 24 * 3_600 * 1_000
/** The administrators are told so many days before the last certificate expires. */
const warningDays = [7, 30]

export type Expiry = 'valid' | 'expires_soon' | 'expired'

export function expiryOf({ notAfter }: Pick<TrustedCertificate, 'notAfter'>, now: Date): Expiry {
  const left = notAfter.getTime() - now.getTime()
  return left <= 0 ? 'expired' : left <= Math.max(...warningDays) * dayMilliseconds ? 'expires_soon' : 'valid'
}

/**
 * The warning that is due: in how many days, at most, the connection has no certificate left that has not expired. While one of its certificates is
 * valid for longer, the expiry of another is how a replacement goes.
 */
export function warningDueOf(certificates: readonly Pick<TrustedCertificate, 'notAfter'>[], now: Date): number | undefined {
  if (certificates.length === 0) return undefined
  const left = Math.max(...certificates.map(({ notAfter }) => notAfter.getTime())) - now.getTime()
  return left <= 0 ? 0 : warningDays.find((days) => left <= days * dayMilliseconds)
}
