import type { RouteOptions } from 'fastify'
import type { RouteDescription } from '../platform/http/openapi.ts'

/** What a route's declared access means to a reader of the OpenAPI description. */
export function describeAccess({ config, method, url }: RouteOptions): RouteDescription {
  const access = config?.access
  const input = ['POST', 'PATCH', 'PUT'].includes(String(method)) ? [400] : []
  const record = url.includes(':') ? [404] : []
  switch (access?.kind) {
    case 'admin':
      return {
        security: [{ session: [], csrf: [] }, { apiKey: [] }],
        ...(access.permission && { description: `Requires the permission \`${access.permission}\`.` }),
        problems: [...input, 401, 403, ...record],
      }
    case 'self':
      return {
        security: [access.csrf ? { session: [], csrf: [] } : { session: [] }],
        problems: [...input, 401, 403, ...record],
      }
    case 'visitor':
      return { security: [{ session: [] }, {}], problems: input }
    case 'system':
      return { security: [{ systemKey: [] }], problems: [...input, 401, ...record] }
    default:
      return { security: [], problems: input }
  }
}
