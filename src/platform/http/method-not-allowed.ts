import { methodNotAllowed } from './refusals.ts'
import { type App, pathOf } from './server.ts'

/**
 * Answers with 405 and `Allow` where a path is asked for by a method that it does not have (RFC 9110 §15.5.6), for the
 * routes that are registered from now on. Looked up only when nothing was found: routes of their own for the other
 * methods would make three of each.
 */
export function refuseOtherMethods(server: App): void {
  const methodsByUrl = new Map<string, string[]>()
  server.addHook('onRoute', ({ url, method }) => {
    // HEAD routes are Fastify's own, made for each GET.
    if (method !== 'HEAD') methodsByUrl.set(url, [...(methodsByUrl.get(url) ?? []), ...[method].flat()])
  })

  let routes: { pattern: RegExp; methods: string[] }[] | undefined
  server.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    routes ??= [...methodsByUrl].map(([url, methods]) => ({ pattern: patternOf(url), methods }))
    const path = pathOf(request)
    const allowed = new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))
    if (allowed.size === 0 || allowed.has(request.method)) return done()
    const allow = [...allowed].sort().join(', ')
    done(methodNotAllowed(allow))
  })
}

/** What a route's URL such as `/users/:id` or `/docs/*` stands for. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}
