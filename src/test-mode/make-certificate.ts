import { generate } from 'selfsigned'

export interface KeyAndCertificate {
  /** In PEM. */
  key: string
  /** In PEM. */
  cert: string
}

/** Makes a certificate for `localhost` that does not expire. */
export async function makeCertificate(): Promise<KeyAndCertificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date('9999-01-01'),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  })
  return { key, cert }
}
