import type { RouteOptions } from 'fastify'
import { kinds } from '../../shared/kinds.ts'
import type { RouteDescription, SecurityScheme } from '../platform/http/openapi.ts'
import type { PermissionSlug } from './permission-slugs.ts'

const tenantHeader = {
  'X-Org-Domain': {
    description:
      "Slug or id of the organisation that the request is meant for; refused unless it is the caller's. The operator may require it",
    example: 'acme',
  },
}

const readersHeaders = {
  'X-Org-Domain': {
    description: 'Slug of the organisation whose `allowedOrigins` may read the response; only a page of another origin needs it',
    example: 'acme',
  },
  'X-Client-Id': { description: 'The same, by one of its OAuth clients', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' },
}

/** The headings of the description, one per kind of reader. */
export const headings = ['Administration', 'Self-service', 'Sign-in', 'Operator', 'OAuth and OpenID Connect', 'Service']

/** The heading of the routes of each kind of record. */
const ofKinds = Object.values(kinds).flatMap((kind) =>
  'about' in kind ? [[`Administration: ${kind.path.replaceAll('-', ' ')}`, kind.about] as const] : [],
)

export const tagDescriptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ofKinds),
  'Administration: assertion checks': 'Why an identity assertion of a provider is refused, check by check.',
  'Administration: audit logs': 'Who changed what, when and from where, with what it was before, and undoing it.',
  'Administration: authorization checks': 'What an application would be issued for a user, without issuing it.',
  'Administration: configuration': 'The organisation as one document: compare, plan and apply.',
  'Administration: deliveries': 'The deliveries to all webhooks.',
  'Administration: diagnostics': 'Why sign-ins and requests of applications were refused.',
  'Administration: events': 'What webhooks can subscribe to.',
  'Administration: organisation': 'The settings of the organisation itself.',
  'Administration: permission checks': 'Whether users may do something, and why.',
  'Administration: permissions': 'What roles and API keys can hold.',
  'Administration: search': 'One search over all kinds of records.',
  'Administration: sign in checks': 'Why a user cannot sign in, step by step.',
  'Administration: sign ins': 'A sign-in from its first request to its end, as a time line.',
  'Administration: statistics': 'Numbers of users, sign-ins and deliveries over time.',
  'Self-service': 'What users do with their own account.',
  'Sign-in': 'Sign-in and what it takes: second factors, passkeys, mailed links and codes.',
  'Operator: diagnostics': 'The diagnostics of all organisations.',
  'Operator: domains': 'The domains of all organisations.',
  'Operator: doctor': 'The health of the installation.',
  'Operator: organisations': 'The organisations of the installation, their exports and users.',
  'Operator: permissions': 'The catalogue of permissions, which all organisations share.',
  'Operator: sign in checks': 'Why a user of any organisation cannot sign in.',
  'Operator: signing keys': 'The keys that sign tokens.',
  'OAuth and OpenID Connect': 'The protocol endpoints for applications.',
  Service: 'For probes, monitoring and browsers.',
}

/** Explains how to call the API to a reader who is new to it. */
export const introduction = `Multi-tenant identity and access management.

**How to authorise.** Operations below _Administration_ and _Self-service_ take the session cookie and the header
\`X-CSRF-Token\`: sign in at [/login](/login) in this browser, read the token at \`GET /v1/auth/csrf\` and enter it under
_Authorize_ as \`csrf\`; the browser sends the cookie itself. Programs use an API key as bearer token in place of both.
Operations below _Operator_ take the system API key as bearer token. OAuth endpoints authenticate the client with its id and
secret, UserInfo takes an access token.

A session ends when it is not used for the idle time of its organisation. A page that reads again by itself, by a timer, sends
\`X-Unattended: true\` with such a \`GET\`: it does not count as a use.

Errors are problem details (RFC 9457): programs decide by \`code\`. Each operation lists every response; a defect of the service
itself would be a 500. Below \`/v1\`, fields and query parameters that an operation does not know are ignored and named in the
header \`X-Ignored-Fields\`; where the operator has set \`STRICT_INPUT=on\` they are refused.`

/** The ways to authenticate, under the names that operations refer to. */
export const securitySchemesOf = (sessionCookieName: string): Record<string, SecurityScheme> => ({
  session: { type: 'apiKey', in: 'cookie', name: sessionCookieName },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (`ak_…`) in place of session and CSRF token' },
  registrationToken: { type: 'http', scheme: 'bearer', description: 'A registration token (`rgs_…`)' },
  registrationAccessToken: { type: 'http', scheme: 'bearer', description: 'The registration access token of a client (`rga_…`)' },
  systemKey: { type: 'http', scheme: 'bearer', description: 'The SYSTEM_API_KEY' },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'Id and secret of an OAuth client, each form-encoded (RFC 6749 §2.3.1)',
  },
  accessToken: { type: 'http', scheme: 'bearer', description: 'An access token that /oauth2/token has issued' },
})

export function describeAccess(route: RouteOptions): RouteDescription {
  return { ...describeChecks(route), tag: tagOf(route) }
}

function describeChecks({ config, method, url }: RouteOptions): Omit<RouteDescription, 'tag'> {
  const access = config?.access
  switch (access?.kind) {
    case 'admin':
      return {
        security: [{ session: [], csrf: [] }, { apiKey: [] }],
        ...describePermissions(access.permissions),
        headers: tenantHeader,
        // The tenant header can be malformed (bad request) or unknown (not found).
        problems: ['bad-request', 'unauthorized', 'forbidden', 'not-found'],
      }
    case 'self':
      return {
        security: [access.csrf ? { session: [], csrf: [] } : { session: [] }],
        // Routes without a CSRF token are open to sessions that still have to enrol and to suspended organisations.
        problems: access.csrf || !access.duringMfaEnrolment || method !== 'GET' ? ['unauthorized', 'forbidden'] : ['unauthorized'],
      }
    case 'page':
      return { security: [{ session: [] }, {}], problems: [] }
    case 'system':
      return { security: [{ systemKey: [] }], problems: url.includes(':') ? ['unauthorized', 'not-found'] : ['unauthorized'] }
    default:
      return { security: [], problems: [], ...(url.startsWith('/v1/auth/') && { headers: readersHeaders }) }
  }
}

/** `x-permission` is the first permission; `x-permissions` lists all of them when there are several. */
function describePermissions(permissions: readonly PermissionSlug[]): Pick<RouteDescription, 'description' | 'extensions'> {
  const [first, ...others] = permissions
  if (first === undefined) return { description: 'Requires no permission.' }
  if (others.length === 0) return { description: `Requires the permission \`${first}\`.`, extensions: { 'x-permission': first } }
  const named = permissions.map((permission) => `\`${permission}\``).join(' and ')
  return { description: `Requires the permissions ${named}.`, extensions: { 'x-permission': first, 'x-permissions': permissions } }
}

/** The heading of an operation. Those for administrators and operators are also divided by subject. */
function tagOf({ config, url }: RouteOptions): string {
  const subject = /^\/v1\/(?:admin\/|system\/)?([\w-]+)/.exec(url)?.[1]?.replaceAll('-', ' ')
  if (config?.access?.kind === 'admin') return `Administration: ${subject}`
  if (config?.access?.kind === 'system' || url.startsWith('/v1/organisations')) return `Operator: ${subject}`
  if (url.startsWith('/v1/me')) return 'Self-service'
  if (url.startsWith('/v1/auth')) return 'Sign-in'
  return /^\/(oauth2|\.well-known)\//.test(url) ? 'OAuth and OpenID Connect' : 'Service'
}
