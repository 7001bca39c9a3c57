import { readFile } from 'node:fs/promises'
import { whyUnusable } from '../platform/system-errors.ts'
import { CommandFailure } from './failures.ts'

interface PublishedKeys {
  keys: { kid?: string }[]
}

/** The JWK set of an issuer: from a copy, or as the issuer publishes it. @throws CommandFailure */
export async function publishedKeys(issuer: string, file: string | undefined): Promise<PublishedKeys> {
  const set = file === undefined ? await fetchKeys(issuer) : await readCopy(file)
  if (!Array.isArray(set?.keys)) throw new CommandFailure(`${file ?? issuer} has no JWK set`)
  return set
}

async function readCopy(file: string): Promise<PublishedKeys> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`${file} cannot be read: ${whyUnusable(error)}`)
  })
  try {
    return JSON.parse(text) as PublishedKeys
  } catch {
    throw new CommandFailure(`${file} has no JWK set`)
  }
}

async function fetchKeys(issuer: string): Promise<PublishedKeys> {
  const url = `${issuer}/oauth2/jwks.json`
  const fail = (reason: string) => new CommandFailure(`The keys of ${issuer} cannot be read at ${url} (${reason}): name a copy by --jwks`)
  if (!URL.canParse(url)) throw fail('no address')
  const { protocol, hostname } = new URL(url)
  // Keys that anyone on the way could change prove nothing.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) throw fail('not by https')
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    throw fail(whyUnusable(error.cause ?? error))
  })
  if (!response.ok) throw fail(String(response.status))
  return (await response.json().catch(() => ({}))) as PublishedKeys
}

const isLoopback = (hostname: string) => hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
