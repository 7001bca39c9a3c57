import type { RouteOptions } from 'fastify'
import type { Documentation, OpenApiOptions } from './openapi.ts'
import type { App } from './server.ts'

const isPublic = { config: { access: { kind: 'public' } }, schema: { hide: true } } as const
const documentCacheControl = 'public, max-age=300'
const connectionHeaders = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** Describes the routes that are registered afterwards at `/openapi.json`, with a page for readers at `/docs`. */
export function describeApi(app: App, options: OpenApiOptions): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    // HEAD routes are Fastify's own, created for each GET.
    if (route.method !== 'HEAD' && route.schema && !('hide' in route.schema)) routes.push(route)
  })

  let opening: Promise<Documentation> | undefined
  /** Created for the first reader: few processes have one, and it would take a tenth of every start. */
  const documentation = () => {
    opening ??= import('./openapi.ts').then(({ openDocumentation }) => openDocumentation(routes, options))
    return opening
  }

  let bytes: Buffer | undefined
  app.get('/openapi.json', isPublic, async (_request, reply) => {
    // Send the same bytes to all readers: a copy for each slow reader would take a megabyte.
    bytes ??= Buffer.from(JSON.stringify((await documentation()).document))
    return reply.header('cache-control', documentCacheControl).type('application/json; charset=utf-8').send(bytes)
  })
  for (const path of ['/docs', '/docs/*']) {
    app.get(path, isPublic, async (request, reply) => {
      const { statusCode, headers, rawPayload } = await (await documentation()).page(request.url, request.headers)
      for (const name of connectionHeaders) delete headers[name]
      return reply.code(statusCode).headers(headers).send(rawPayload)
    })
  }
}
