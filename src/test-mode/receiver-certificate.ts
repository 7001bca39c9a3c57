import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { userCache } from '../platform/user-cache.ts'
import type { KeyAndCertificate } from './make-certificate.ts'

/**
 * The certificate of the receiver, for `localhost` alone. To make one loads 650 kB of code, so the user's cache holds it.
 * Only the service of a test mode trusts it, and only for its webhooks.
 */
export async function receiverCertificate(environment: Record<string, string | undefined>): Promise<KeyAndCertificate> {
  const cache = await userCache(environment)
  const file = cache && join(cache, 'test-mode-receiver.json')
  const cached = file && (await readCached(file).catch(() => undefined))
  if (cached) return cached
  const { makeCertificate } = await import('./make-certificate.ts')
  const made = await makeCertificate()
  // Without the file, the next start makes another.
  if (file) await store(file, made).catch(() => {})
  return made
}

async function readCached(file: string): Promise<KeyAndCertificate | undefined> {
  const { key, cert }: KeyAndCertificate = JSON.parse(await readFile(file, 'utf8'))
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? { key, cert } : undefined
}

/** Another start may be writing the same file: each renames a whole one. */
async function store(file: string, made: KeyAndCertificate): Promise<void> {
  const whole = `${file}.${randomUUID()}`
  await writeFile(whole, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
  await rename(whole, file)
}
