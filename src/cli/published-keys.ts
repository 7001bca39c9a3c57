import { isHttpsOrLocal } from '../platform/http/addresses.ts'
import { whyUnusable } from '../platform/system-errors.ts'
import { CommandFailure } from './failures.ts'
import { readNamedFile } from './read-named-file.ts'

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
  const text = await readNamedFile(file)
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
  // Keys that anyone on the way could change prove nothing.
  if (!isHttpsOrLocal(new URL(url))) throw fail('not by https')
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    throw fail(whyUnusable(error.cause ?? error))
  })
  if (!response.ok) throw fail(String(response.status))
  return (await response.json().catch(() => ({}))) as PublishedKeys
}
