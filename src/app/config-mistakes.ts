import type { OAuthExtensions } from '../clients/extensions.ts'
import { secretKeyExpected } from '../platform/crypto/secret-key.ts'
import { isLoopbackHost } from '../platform/http/addresses.ts'
import { secretVariables } from './variables.ts'

type Given = Record<string, string | undefined>

/** The environment cannot be used; one line for each mistake. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

export function mistake(variable: string, given: Given, expected: string): string {
  const value = given[variable]
  if (value === undefined) return `${variable} is not set and must be ${expected}`
  return `${variable} is ${secretVariables.has(variable) ? 'not usable' : `"${withoutCredentials(value)}"`} and must be ${expected}`
}

export const withoutCredentials = (value: string) => value.replace(/\/\/[^/@]*@/, '//…@')

export function breachedPasswordMistakes(production: boolean, given: Given): string[] {
  if (given.BREACHED_PASSWORDS === undefined) {
    const defaults = { BREACHED_PASSWORDS_UNREACHABLE: 'allow', BREACHED_PASSWORDS_AT_SIGN_IN: 'off' }
    return Object.entries(defaults).flatMap(([name, value]) =>
      given[name] === undefined || given[name] === value ? [] : [mistake(name, given, `${value} unless BREACHED_PASSWORDS is set`)],
    )
  }
  const isPlain = /^http:/i.test(given.BREACHED_PASSWORDS)
  return production && isPlain ? [mistake('BREACHED_PASSWORDS', given, 'an https URL in production, or file:<path>')] : []
}

/** The mistakes of settings that need a shared database: the embedded one serves a single process. */
export function sharedDatabaseMistakes(given: Given, read: { WORKERS: number; ROLES: readonly string[] }): string[] {
  if (given.DATABASE_URL !== undefined) return []
  const mistakes: string[] = []
  if (read.WORKERS > 1) mistakes.push(mistake('WORKERS', given, '1 unless DATABASE_URL names a PostgreSQL'))
  for (const name of ['DATABASE_REPLICA_URL', 'DATABASE_POOLER', 'DATABASE_LISTEN_URL'])
    if (given[name] !== undefined) mistakes.push(mistake(name, given, 'unset unless DATABASE_URL names a PostgreSQL'))
  if (new Set(read.ROLES).size < 2) mistakes.push(mistake('ROLES', given, 'api,worker unless DATABASE_URL names a PostgreSQL'))
  return mistakes
}

/** The mistakes of what means nothing without an extension: the resource decides of which organisation an automatic client is. */
export function extensionMistakes(given: Given, read: { DPOP_NONCE: 'off' | 'required'; OAUTH_EXTENSIONS: OAuthExtensions }): string[] {
  const { OAUTH_EXTENSIONS: extensions, DPOP_NONCE: nonce } = read
  const mistakes: string[] = []
  if (extensions.has('client_metadata_documents') && !extensions.has('resource_indicators'))
    mistakes.push(mistake('OAUTH_EXTENSIONS', given, 'a list with resource_indicators if it has client_metadata_documents'))
  if (nonce === 'required' && !extensions.has('dpop')) mistakes.push(mistake('DPOP_NONCE', given, 'off unless OAUTH_EXTENSIONS holds dpop'))
  return mistakes
}

/** The mistakes of certificates that a proxy hands on: without a proxy that is trusted, anyone could send the header. */
export function certificateMistakes(
  production: boolean,
  given: Given,
  read: { OAUTH_EXTENSIONS: OAuthExtensions; MTLS_CERTIFICATE_HEADER?: string | undefined; MTLS_VERIFIED_HEADER?: string | undefined },
): string[] {
  if (!read.OAUTH_EXTENSIONS.has('mtls')) {
    const set = certificateVariables.filter((name) => given[name] !== undefined)
    return set.map((name) => mistake(name, given, 'unset unless OAUTH_EXTENSIONS holds mtls'))
  }
  const needed = {
    MTLS_CERTIFICATE_HEADER: 'client-cert, or the header in which the proxy hands certificates on',
    MTLS_VERIFIED_HEADER: 'the header in which the proxy says SUCCESS',
    TRUST_PROXY: 'the addresses of the proxy that hands certificates on',
  }
  const missing = Object.entries(needed).filter(([name]) => given[name] === undefined)
  const mistakes = missing.map(([name, expected]) => mistake(name, given, `${expected}: OAUTH_EXTENSIONS holds mtls`))
  if (read.MTLS_VERIFIED_HEADER !== undefined && read.MTLS_VERIFIED_HEADER === read.MTLS_CERTIFICATE_HEADER)
    mistakes.push(mistake('MTLS_VERIFIED_HEADER', given, 'another header than MTLS_CERTIFICATE_HEADER'))
  if (production && given.MTLS_PUBLIC_URL !== undefined && !given.MTLS_PUBLIC_URL.startsWith('https://'))
    mistakes.push(mistake('MTLS_PUBLIC_URL', given, 'an https origin in production, such as https://mtls.id.example.com'))
  return mistakes
}

export const certificateVariables = ['MTLS_CERTIFICATE_HEADER', 'MTLS_VERIFIED_HEADER', 'MTLS_PUBLIC_URL'] as const

/** Open registration is of no use without resources, which alone say to which organisation such a client belongs. */
export function openRegistrationMistakes(
  given: Given,
  read: { OPEN_REGISTRATION: 'on' | 'off'; OAUTH_EXTENSIONS: ReadonlySet<string> },
): string[] {
  const needed = ['dynamic_registration', 'resource_indicators']
  if (read.OPEN_REGISTRATION === 'off' || needed.every((name) => read.OAUTH_EXTENSIONS.has(name))) return []
  return [mistake('OPEN_REGISTRATION', given, `off unless OAUTH_EXTENSIONS holds ${needed.join(' and ')}`)]
}

export function productionMistakes(publicUrl: string, given: Given): string[] {
  const mistakes: string[] = []
  if (!publicUrl.startsWith('https://'))
    mistakes.push(mistake('PUBLIC_URL', given, 'an https origin in production, such as https://id.example.com'))
  if (!given.SECRET_KEY) mistakes.push(mistake('SECRET_KEY', given, `set in production: ${secretKeyExpected}`))
  return mistakes
}

/** In development, mails are public and the system key is in a file, so the service must not be reachable from the internet. */
export function developmentMistakes(publicUrl: string, given: Given, allowedHost: string | undefined): string[] {
  const { hostname } = new URL(publicUrl)
  if (isLoopbackHost(hostname) || hostname === allowedHost) return []
  const expected = `an origin of this machine, such as http://localhost:3000: for others set NODE_ENV=production, or ALLOW_DEVELOPMENT_ON=${hostname}`
  return [mistake('PUBLIC_URL', given, expected)]
}
