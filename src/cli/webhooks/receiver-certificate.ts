import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { generate } from 'selfsigned'

const dayMilliseconds = 24 * 3_600 * 1_000
const file = join(tmpdir(), 'gatehouse-webhook-receiver.pem')
const keyFile = join(tmpdir(), 'gatehouse-webhook-receiver.key')

/**
 * The certificate of the local receiver. A service that trusts it is not to be started again each time that the receiver is,
 * so it is made anew only when it is about to end, or when another user of the machine may know its key.
 */
export const ownCertificate = {
  /** Where the certificate is, without its key. */
  file,
  async get(): Promise<{ key: string; cert: string }> {
    return (await stored().catch(() => undefined)) ?? make()
  },
}

async function stored(): Promise<{ key: string; cert: string } | undefined> {
  const [cert, key, { uid, mode }] = await Promise.all([readFile(file, 'utf8'), readFile(keyFile, 'utf8'), stat(keyFile)])
  const isSecret = uid === process.getuid?.() && (mode & 0o077) === 0
  const certificate = new X509Certificate(cert)
  const endsAt = Date.parse(certificate.validTo)
  const isOfKey = certificate.checkPrivateKey(createPrivateKey(key))
  return isSecret && isOfKey && certificate.checkHost('localhost') && endsAt > Date.now() + dayMilliseconds ? { key, cert } : undefined
}

async function make(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 365 * dayMilliseconds),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  await write(keyFile, key, 0o600)
  await write(file, cert, 0o644)
  return { key, cert }
}

/** In whole, and never through a link that another user has put at the name: the folder is shared. */
async function write(path: string, text: string, mode: number): Promise<void> {
  await writeFile(`${path}.${process.pid}`, text, { mode, flag: 'wx' })
  await rename(`${path}.${process.pid}`, path)
}
