import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { generate } from 'selfsigned'
import { stateFolderOf } from '../../webhooks/local-receiver.ts'
import { CommandFailure } from '../failures.ts'

const dayMilliseconds = 24 * 3_600 * 1_000
/** The user's own folder: in a shared one, another user could plant a certificate for the service to trust. */
const folder = ownFolder()
const file = join(folder, 'webhook-receiver.pem')
const keyFile = join(folder, 'webhook-receiver.key')

/**
 * The certificate of the local receiver. A service that trusts it should not have to be restarted whenever the receiver is, so a new
 * one is made only when it is about to expire, or when another user of the machine may know its key.
 */
export const ownCertificate = {
  folder,
  /** The file with the certificate, without its key. */
  file,
  async get(): Promise<{ key: string; cert: string }> {
    return (await stored().catch(() => undefined)) ?? make()
  },
}

function ownFolder(): string {
  const folder = stateFolderOf(process.env)
  if (folder === undefined) throw new CommandFailure('This user has no home: set XDG_STATE_HOME to a folder of their own')
  return folder
}

async function stored(): Promise<{ key: string; cert: string } | undefined> {
  const [cert, key, { uid, mode }] = await Promise.all([readFile(file, 'utf8'), readFile(keyFile, 'utf8'), stat(keyFile)])
  const isSecret = uid === process.getuid?.() && (mode & 0o077) === 0
  const certificate = new X509Certificate(cert)
  const endsAt = Date.parse(certificate.validTo)
  const isOfKey = certificate.checkPrivateKey(createPrivateKey(key))
  return isSecret && isOfKey && !certificate.ca && certificate.checkHost('localhost') && endsAt > Date.now() + dayMilliseconds
    ? { key, cert }
    : undefined
}

async function make(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 365 * dayMilliseconds),
    extensions: [
      // It vouches only for itself.
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await write(keyFile, key, 0o600)
  await write(file, cert, 0o644)
  return { key, cert }
}

/** Writes a file atomically: another receiver may be reading it. */
async function write(path: string, text: string, mode: number): Promise<void> {
  await writeFile(`${path}.${process.pid}`, text, { mode, flag: 'wx' })
  await rename(`${path}.${process.pid}`, path)
}
