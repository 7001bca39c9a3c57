import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet, { type HelmetOptions } from 'helmet'

/**
 * The headers that protect a browser, for every response. Helmet runs only once: they are the same for all, and it would compute each of
 * them anew with every request.
 *
 * @param https whether browsers are to be told to come by https only
 */
export function securityHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  const options: HelmetOptions = {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    // Other origins fetch tokens and userinfo; CORS decides which ones.
    crossOriginResourcePolicy: false,
  }
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => {})
  return headers
}
