import type { RouteOptions } from 'fastify'
import type { RouteDescription } from '../platform/http/openapi.ts'

const tenantHeader = {
  'X-Org-Domain': "Slug of the organisation that the request is meant for; refused unless it is the caller's. The operator may require it",
}

const readersHeaders = {
  'X-Org-Domain': 'Slug of the organisation whose `allowedOrigins` may read the response; only a page of another origin needs it',
  'X-Client-Id': 'The same, by one of its OAuth clients',
}

/** What a route's declared access means to a reader of the OpenAPI description. */
export function describeAccess({ config, method, url }: RouteOptions): RouteDescription {
  const access = config?.access
  switch (access?.kind) {
    case 'admin':
      return {
        security: [{ session: [], csrf: [] }, { apiKey: [] }],
        description: access.permission ? `Requires the permission \`${access.permission}\`.` : 'Requires no permission.',
        ...(access.permission && { permission: access.permission }),
        headers: tenantHeader,
        // Bad request and not found: what the header of the tenant can be.
        problems: ['bad-request', 'unauthorized', 'forbidden', 'not-found'],
      }
    case 'self':
      return {
        security: [access.csrf ? { session: [], csrf: [] } : { session: [] }],
        // A session that has to enrol first and a suspended organisation may read what asks for no CSRF token.
        problems: access.csrf || !access.duringMfaEnrolment || method !== 'GET' ? ['unauthorized', 'forbidden'] : ['unauthorized'],
      }
    case 'visitor':
      return { security: [{ session: [] }, {}], problems: [] }
    case 'system':
      return { security: [{ systemKey: [] }], problems: url.includes(':') ? ['unauthorized', 'not-found'] : ['unauthorized'] }
    default:
      return { security: [], problems: [], ...(url.startsWith('/v1/auth/') && { headers: readersHeaders }) }
  }
}
