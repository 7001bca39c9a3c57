import { nearestOf } from './known-fields.ts'
import { methodNotAllowed, noSuchAddress } from './refusals.ts'
import { type App, pathOf } from './server.ts'

/**
 * Responds with 405 and `Allow` to a path that does not have the requested method (RFC 9110 §15.5.6), and suggests the probable address
 * when an address of the API does not exist, for the routes that are registered from now on. It searches only when no route matched:
 * separate routes for the other methods would triple their number.
 */
export function refuseOtherMethods(server: App): void {
  const methodsByUrl = new Map<string, string[]>()
  server.addHook('onRoute', ({ url, method }) => {
    // HEAD routes are Fastify's own, created for each GET.
    if (method !== 'HEAD') methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...[method].flat()])
  })

  let routes: { url: string; pattern: RegExp; methods: string[] }[] | undefined
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    routes ??= [...methodsByUrl].map(([url, methods]) => ({ url, pattern: patternOf(url), methods }))
    const path = pathOf(request)
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))
    if (allowed.size === 0) return done(path.startsWith('/v1/') ? noSuchAddress(addressMeant(path, routes)) : undefined)
    if (allowed.has(request.method)) return done()
    const allow = [...allowed].sort().join(', ')
    done(methodNotAllowed(allow))
  })
}

const partsOfApi = ['/v1/admin', '/v1/me', '/v1/auth', '/v1/system']

/** The address of the API that was probably meant: without the part of the API, or misspelt. */
function addressMeant(path: string, routes: readonly { url: string; pattern: RegExp }[]): string | undefined {
  const inPart = partsOfApi.map((part) => path.replace('/v1', part)).find((address) => routes.some(({ pattern }) => pattern.test(address)))
  return inPart ?? nearestOf(path, new Set(routes.flatMap(({ url }) => (/^\/v1\/[^:*]*$/.test(url) ? [url] : []))))
}

/** The pattern of a route's URL such as `/users/:id` or `/docs/*`. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}
