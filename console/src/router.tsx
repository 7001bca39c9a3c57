import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { listSearch } from './parts/list-state.ts'
import { NotFound } from './shell/not-found.tsx'
import { PageError } from './shell/page-error.tsx'
import { Shell } from './shell/shell.tsx'

/** Every page of the console: its path, its search parameters, and its code. Each page is loaded when it is first shown. */

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ notFoundComponent: NotFound })

const signedIn = createRoute({
  getParentRoute: () => root,
  path: '/signed-in',
  component: lazyRouteComponent(() => import('./shell/signed-in.tsx'), 'SignedIn'),
})
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })

const overview = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'Overview'),
})

const users = createRoute({
  getParentRoute: () => shell,
  path: '/users',
  validateSearch: listSearch(
    'status',
    'roleId',
    'teamId',
    'mfaEnabled',
    'permission',
    'emailDomain',
    'createdFrom',
    'createdTo',
    'lastLoginBefore',
    'create',
  ),
  component: lazyRouteComponent(() => import('./pages/users/users.tsx'), 'Users'),
})

const user = createRoute({
  getParentRoute: () => shell,
  path: '/users/$id/{-$tab}',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/users/user.tsx'), 'User'),
})

const invitations = createRoute({
  getParentRoute: () => shell,
  path: '/invitations',
  validateSearch: listSearch('status', 'create', 'id'),
  component: lazyRouteComponent(() => import('./pages/invitations/invitations.tsx'), 'Invitations'),
})

const signInCheck = createRoute({
  getParentRoute: () => shell,
  path: '/sign-in-check',
  validateSearch: listSearch('email', 'clientId', 'connectionId', 'redirectUri', 'permission'),
  component: lazyRouteComponent(() => import('./pages/sign-in-check/sign-in-check.tsx'), 'SignInCheck'),
})

const roles = createRoute({
  getParentRoute: () => shell,
  path: '/roles',
  validateSearch: listSearch('create', 'copyOf'),
  component: lazyRouteComponent(() => import('./pages/roles/roles.tsx'), 'Roles'),
})

const roleMatrix = createRoute({
  getParentRoute: () => shell,
  path: '/roles/matrix',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/roles/role-matrix.tsx'), 'RoleMatrix'),
})

const role = createRoute({
  getParentRoute: () => shell,
  path: '/roles/$id/{-$tab}',
  component: lazyRouteComponent(() => import('./pages/roles/role.tsx'), 'Role'),
})

const teams = createRoute({
  getParentRoute: () => shell,
  path: '/teams',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/teams/teams.tsx'), 'Teams'),
})

const team = createRoute({
  getParentRoute: () => shell,
  path: '/teams/$id/{-$tab}',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/teams/team.tsx'), 'Team'),
})

const applications = createRoute({
  getParentRoute: () => shell,
  path: '/applications',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/applications/applications.tsx'), 'Applications'),
})

const newApplication = createRoute({
  getParentRoute: () => shell,
  path: '/applications/new',
  component: lazyRouteComponent(() => import('./pages/applications/new-application.tsx'), 'NewApplication'),
})

const registrationTokens = createRoute({
  getParentRoute: () => shell,
  path: '/applications/registration-tokens',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/registration-tokens/registration-tokens.tsx'), 'RegistrationTokens'),
})

const application = createRoute({
  getParentRoute: () => shell,
  path: '/applications/$id/{-$tab}',
  validateSearch: listSearch('check', 'error', 'status', 'from', 'to', 'delivery'),
  component: lazyRouteComponent(() => import('./pages/applications/application.tsx'), 'Application'),
})

const tryReturn = createRoute({
  getParentRoute: () => root,
  path: '/try',
  component: lazyRouteComponent(() => import('./pages/applications/try-return.tsx'), 'TryReturn'),
})

const apiKeys = createRoute({
  getParentRoute: () => shell,
  path: '/api-keys',
  validateSearch: listSearch('create', 'permissions', 'key'),
  component: lazyRouteComponent(() => import('./pages/api-keys/api-keys.tsx'), 'ApiKeys'),
})

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks',
  validateSearch: listSearch('create', 'event'),
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'Webhooks'),
})

const deliveries = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/deliveries',
  validateSearch: listSearch('status', 'event', 'webhookId', 'from', 'to'),
  component: lazyRouteComponent(() => import('./pages/webhooks/deliveries.tsx'), 'Deliveries'),
})

const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id/{-$tab}',
  validateSearch: listSearch('status', 'event', 'from', 'to', 'interval', 'delivery'),
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook.tsx'), 'Webhook'),
})

const delivery = createRoute({
  getParentRoute: () => shell,
  path: '/webhooks/$id/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./pages/webhooks/delivery.tsx'), 'Delivery'),
})

const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  validateSearch: listSearch('event'),
  component: lazyRouteComponent(() => import('./pages/events/events.tsx'), 'Events'),
})

const audit = createRoute({
  getParentRoute: () => shell,
  path: '/audit',
  validateSearch: listSearch(
    'action',
    'actorId',
    'clientId',
    'targetId',
    'targetType',
    'email',
    'ipAddress',
    'requestId',
    'from',
    'to',
    'entry',
  ),
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'Audit'),
})

const signIn = createRoute({
  getParentRoute: () => shell,
  path: '/sign-ins/$id',
  component: lazyRouteComponent(() => import('./pages/sign-ins/sign-in.tsx'), 'SignIn'),
})

const diagnostics = createRoute({
  getParentRoute: () => shell,
  path: '/diagnostics',
  validateSearch: listSearch('clientId', 'connectionId', 'check', 'error', 'from', 'to'),
  component: lazyRouteComponent(() => import('./pages/diagnostics/diagnostics.tsx'), 'Diagnostics'),
})

const diagnostic = createRoute({
  getParentRoute: () => shell,
  path: '/diagnostics/$reference',
  component: lazyRouteComponent(() => import('./pages/diagnostics/diagnostic.tsx'), 'Diagnostic'),
})

const explain = createRoute({
  getParentRoute: () => shell,
  path: '/explain',
  validateSearch: listSearch('userId', 'permission'),
  component: lazyRouteComponent(() => import('./pages/explain/explain.tsx'), 'Explain'),
})

const unused = createRoute({
  getParentRoute: () => shell,
  path: '/unused',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/unused/unused.tsx'), 'Unused'),
})

const organisation = createRoute({
  getParentRoute: () => shell,
  path: '/organisation/$section',
  component: lazyRouteComponent(() => import('./pages/organisation/organisation.tsx'), 'Organisation'),
})

const connections = createRoute({
  getParentRoute: () => shell,
  path: '/connections',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/connections/connections.tsx'), 'Connections'),
})

const connection = createRoute({
  getParentRoute: () => shell,
  path: '/connections/$id/{-$tab}',
  component: lazyRouteComponent(() => import('./pages/connections/connection.tsx'), 'Connection'),
})

const directories = createRoute({
  getParentRoute: () => shell,
  path: '/directories',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/directories/directories.tsx'), 'Directories'),
})

const newDirectory = createRoute({
  getParentRoute: () => shell,
  path: '/directories/new',
  validateSearch: listSearch('directory', 'kind'),
  component: lazyRouteComponent(() => import('./pages/directories/new-directory.tsx'), 'NewDirectory'),
})

const directory = createRoute({
  getParentRoute: () => shell,
  path: '/directories/$id/{-$tab}',
  validateSearch: listSearch('outcome', 'method'),
  component: lazyRouteComponent(() => import('./pages/directories/directory.tsx'), 'Directory'),
})

const resources = createRoute({
  getParentRoute: () => shell,
  path: '/resources',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/resources/resources.tsx'), 'Resources'),
})

const newMcpServer = createRoute({
  getParentRoute: () => shell,
  path: '/resources/new-mcp-server',
  component: lazyRouteComponent(() => import('./pages/resources/new-mcp-server.tsx'), 'NewMcpServer'),
})

const resource = createRoute({
  getParentRoute: () => shell,
  path: '/resources/$id/{-$tab}',
  validateSearch: listSearch(),
  component: lazyRouteComponent(() => import('./pages/resources/resource.tsx'), 'Resource'),
})

const otherApis = createRoute({
  getParentRoute: () => shell,
  path: '/other-apis',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/other-apis/other-apis.tsx'), 'OtherApis'),
})

const otherApi = createRoute({
  getParentRoute: () => shell,
  path: '/other-apis/$id/{-$tab}',
  validateSearch: listSearch('userId', 'clientId'),
  component: lazyRouteComponent(() => import('./pages/other-apis/other-api.tsx'), 'OtherApi'),
})

const domains = createRoute({
  getParentRoute: () => shell,
  path: '/domains',
  validateSearch: listSearch('create'),
  component: lazyRouteComponent(() => import('./pages/domains/domains.tsx'), 'Domains'),
})

const domain = createRoute({
  getParentRoute: () => shell,
  path: '/domains/$id',
  component: lazyRouteComponent(() => import('./pages/domains/domain.tsx'), 'Domain'),
})

const setupLinks = createRoute({
  getParentRoute: () => shell,
  path: '/setup-links',
  validateSearch: listSearch('create', 'purposes'),
  component: lazyRouteComponent(() => import('./pages/setup-links/setup-links.tsx'), 'SetupLinks'),
})

const setupLink = createRoute({
  getParentRoute: () => shell,
  path: '/setup-links/$id',
  component: lazyRouteComponent(() => import('./pages/setup-links/setup-link.tsx'), 'SetupLink'),
})

/** The operator's page, which has no link: its address is documented. */
const doctor = createRoute({
  getParentRoute: () => shell,
  path: '/system/doctor',
  component: lazyRouteComponent(() => import('./pages/system/doctor.tsx'), 'Doctor'),
})

/** Any other address: within the shell, so that the navigation is available. */
const nowhere = createRoute({ getParentRoute: () => shell, path: '/$', component: NotFound })

const routeTree = root.addChildren([
  signedIn,
  tryReturn,
  shell.addChildren([
    overview,
    users,
    user,
    invitations,
    signInCheck,
    roles,
    roleMatrix,
    role,
    teams,
    team,
    applications,
    newApplication,
    registrationTokens,
    application,
    apiKeys,
    webhooks,
    deliveries,
    webhook,
    delivery,
    events,
    audit,
    signIn,
    diagnostics,
    diagnostic,
    explain,
    unused,
    organisation,
    connections,
    connection,
    directories,
    newDirectory,
    directory,
    resources,
    newMcpServer,
    resource,
    otherApis,
    otherApi,
    domains,
    domain,
    setupLinks,
    setupLink,
    doctor,
    nowhere,
  ]),
])

/** Search parameters are flat texts, so that links stay readable and can be written manually. A time that is none is left out. */
const parseSearch = (search: string) =>
  Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => !isTime(name) || !Number.isNaN(Date.parse(value))))

const isTime = (name: string) => name === 'from' || name === 'to'

function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
  ).toString()
  return parameters ? `?${parameters}` : ''
}

export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/console',
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadDelay: 30,
    scrollRestoration: true,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFound,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
