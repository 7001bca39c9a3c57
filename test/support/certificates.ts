import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import type { JWK } from 'jose'
import { generate } from 'selfsigned'

/** The environment of a service behind a proxy that hands certificates on as RFC 9440 says. */
export const certificateVariables = {
  MTLS_CERTIFICATE_HEADER: 'client-cert',
  MTLS_VERIFIED_HEADER: 'x-client-verify',
  MTLS_PUBLIC_URL: 'http://mtls.gatehouse.test',
  TRUST_PROXY: 'loopback',
}

export interface TestCertificate {
  /** PEM, as the private key. */
  cert: string
  key: string
  bytes: Buffer
  /** The `x5t#S256` of tokens that are bound to it. */
  thumbprint: string
  publicKey: JWK
}

interface Wanted {
  /** The names of the subject, in the order of the certificate: the least specific first. */
  subject?: Record<string, string>
  alternativeNames?: { type: 1 | 2 | 6 | 7; value?: string; ip?: string }[]
  /** The authority that issues it; without one it is self-signed. */
  by?: TestCertificate
  /** An authority of its own. */
  isAuthority?: boolean
  from?: Date
  until?: Date
}

export async function testCertificate({
  subject = { C: 'DE', O: 'Acme', CN: 'portal.acme.test' },
  alternativeNames = [],
  by,
  isAuthority = false,
  from = new Date('2020-01-01T00:00:00Z'),
  until = new Date('2090-01-01T00:00:00Z'),
}: Wanted = {}): Promise<TestCertificate> {
  const attributes = Object.entries(subject).map(([name, value]) => ({ shortName: name, value }))
  const made = await generate(attributes, {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: until,
    extensions: [
      { name: 'basicConstraints', cA: isAuthority },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: isAuthority },
      ...(alternativeNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames: alternativeNames }] : []),
    ],
    ...(by && { ca: { key: by.key, cert: by.cert } }),
  })
  const { raw } = new X509Certificate(made.cert)
  return {
    cert: made.cert,
    key: made.private,
    bytes: raw,
    thumbprint: createHash('sha256').update(raw).digest('base64url'),
    publicKey: createPublicKey(made.cert).export({ format: 'jwk' }) as JWK,
  }
}

/** The headers of a proxy that has received a certificate. */
export const handedOn = ({ bytes }: Pick<TestCertificate, 'bytes'>, verified = 'SUCCESS') => ({
  'client-cert': `:${bytes.toString('base64')}:`,
  'x-client-verify': verified,
})
