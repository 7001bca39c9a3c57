import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { generate } from 'selfsigned'

const dayMilliseconds = 24 * 3_600 * 1_000
const certificateDays = 20 * 365

/**
 * Makes a key and a certificate for it, which providers ask for. The certificate says nothing: it is signed by its own key and lasts twenty years,
 * since it is replaced by a rotation and not by the calendar.
 *
 * @returns both in PEM
 */
export async function newOwnKey(connectionId: string, now: Date): Promise<{ privateKey: string; certificate: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const { cert } = await generate([{ name: 'commonName', value: connectionId }], {
    keyPair: { publicKey, privateKey },
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - dayMilliseconds),
    notAfterDate: new Date(now.getTime() + certificateDays * dayMilliseconds),
    extensions: [{ name: 'basicConstraints', cA: false }],
  })
  return { privateKey, certificate: cert }
}
