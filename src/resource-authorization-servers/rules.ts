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
