import { type AssuranceLevel, includesLevel } from '../access/factors.ts'
import { isSwitchedOn, type OAuthExtensions } from '../clients/extensions.ts'
import { identifierMistake } from '../resource-servers/rules.ts'

export type IssuerMistake = 'issuer-with-query' | ReturnType<typeof identifierMistake>

/** Why this cannot be the issuer of another authorization server (RFC 8414 §2); undefined when it can. */
export const issuerMistake = (issuer: string, options: Parameters<typeof identifierMistake>[1]): IssuerMistake =>
  issuer.includes('?') ? 'issuer-with-query' : identifierMistake(issuer, options)

/** How an issuer may be written: a host alone with a slash or without, since some clients add one. */
export const sameIssuers = (issuer: string): string[] => {
  const bare = /^[a-z]+:\/\/[^/]+\/?$/i.test(issuer) ? issuer.replace(/\/$/, '') : undefined
  return bare === undefined ? [issuer] : [bare, `${bare}/`]
}

/** Whether a client can have its user sign in at a level. Without the extension, no sign-in is said to have reached more than two steps. */
export const canBeAskedFor = (level: AssuranceLevel, extensions: OAuthExtensions): boolean =>
  includesLevel('aal2', level) || isSwitchedOn(extensions, 'step_up')
