/** Which client ID metadata documents an organisation accepts. */
import type { ClientDocumentPolicy } from '../organisations/rules.ts'

/** Why an organisation does not accept a client: for its host, or for the host of the redirect URI. */
export type WhyRefused = 'host' | 'foreign-redirect-uri'

/**
 * @param host that of the document, with its port if it names one
 * @param redirectUri https, or http on this machine, whose programs no host vouches for; undefined where the response goes to no address
 */
export function judgeDocument(policy: ClientDocumentPolicy, host: string, redirectUri: string | undefined): WhyRefused | undefined {
  if (policy.mode === 'hosts' && !policy.hosts.includes(host)) return 'host'
  if (redirectUri === undefined) return undefined
  const { protocol, host: target } = new URL(redirectUri)
  return protocol === 'https:' && target !== host && !policy.foreignRedirects ? 'foreign-redirect-uri' : undefined
}
