import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { newId } from '../../src/platform/ids.ts'
import { linkedIdentity } from '../support/connections.ts'
import { loggedRequest } from '../support/directories.ts'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { decideConsent, givenApplication, pkce } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

/** The records that are shown on the pages of one record. */
export interface Shown {
  userId: string
  roleId: string
  teamId: string
  clientId: string
  endpointId: string
  deliveryId: string
  reference: string
  entryId: string
  signInId: string
  directoryId: string
  resourceId: string
  otherApiId: string
  /** An application that is allowed something there. */
  agentId: string
  domainId: string
  setupLinkId: string
  connectionId: string
}

/** An organisation in which every page has something to show. */
export interface Scene extends Shown {
  organisation: TestOrganisation
  owner: SignedInUser
}

const people = [
  ['Anna', 'Shaw'],
  ['Jonathan', 'Featherstonehaugh'],
  ['Mehmet', 'Öztürk'],
  ['Vera', 'Lindqvist'],
  ['Wei', 'Zhang'],
] as const

export async function prepareScene(service: TestService): Promise<Scene> {
  const { given } = service
  const organisation = await given.organisation()
  const { owner } = organisation
  const { body: self } = await owner.get('/v1/me/profile')
  await owner.patch(`/v1/admin/users/${self.id}`, { firstName: 'Nora', lastName: 'Castellano' })
  await owner.patch('/v1/admin/organisation', { name: 'Northwind Trading' })
  const made = async (path: string, body: object) => {
    const { status, body: record } = await owner.post(path, body)
    if (status !== 201) throw new Error(`${path} is answered ${status}`)
    return record.id as string
  }

  const endpoint = await createEndpoint(owner, { url: 'https://hooks.northwind.test/gatehouse', events: ['*'] })
  const role = await given.role(owner, { name: 'Support', slug: 'support', permissions: ['users:read', 'audit:read'] })
  const teamId = await made('/v1/admin/teams', {
    name: 'Customer care',
    slug: 'customer-care',
    description: 'People who talk to customers',
  })
  const users: string[] = []
  for (const [firstName, lastName] of people) {
    const email = `${firstName}.${lastName}-${unique()}@northwind.test`
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[^\w.@-]/g, '')
    users.push((await given.user(owner, { firstName, lastName, email, roleIds: [role.id], teamIds: [teamId] })).id)
  }
  const [userId = '', blocked] = users
  await owner.patch(`/v1/admin/users/${blocked}`, { blockedAt: new Date().toISOString(), blockedReason: 'Left the company' })
  const { body: user } = await owner.get(`/v1/admin/users/${userId}`)
  const signedIn = await given.signIn(user.email)
  await owner.patch(`/v1/admin/users/${userId}`, { phone: '+442079460000' })

  // A device registers passkeys only where the service has a host name.
  for (const [name, canSignIn] of [
    ['Work laptop', true],
    ['Security key', false],
  ] as const)
    await service.database
      .tenant(organisation.id)
      .insertInto('passkeys')
      .values({
        id: newId('pk', service.clock.now()),
        userId,
        name,
        rpId: 'localhost',
        credentialId: unique(),
        publicKey: '',
        counter: 0,
        canSignIn,
        maySync: canSignIn,
        isSynced: canSignIn,
        transports: [],
        aaguid: canSignIn ? 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' : '00000000-0000-0000-0000-000000000000',
        createdAt: service.clock.now(),
        lastUsedAt: canSignIn ? service.clock.now() : null,
      })
      .execute()

  const retired = { name: 'Northwind Archive', clientType: 'confidential', redirectUris: ['https://archive.northwind.test/callback'] }
  await owner.post(`/v1/admin/clients/${await made('/v1/admin/clients', retired)}/revoke`)
  const application = await givenApplication(service, {
    organisation,
    name: 'Northwind Planner',
    requireConsent: true,
    scopes: ['plans:write'],
  })
  const asked = await application.authorize(
    { scope: 'openid plans:write', code_challenge: pkce().challenge, code_challenge_method: 'S256' },
    signedIn,
  )
  const { searchParams } = new URL(asked.headers.get('location') ?? '', service.origin)
  await decideConsent(signedIn, searchParams.get('request') ?? '', 'allow')
  await application.authorize({ redirect_uri: 'https://portal.example.test/callbcak' })
  await toldLogout(service, { organisationId: organisation.id, clientId: application.id, userId })
  await made('/v1/admin/invitations', { email: `invited-${unique()}@northwind.test`, roleId: role.id, teamIds: [teamId] })
  await made('/v1/admin/api-keys', { name: 'Nightly export', permissions: ['users:read', 'audit:read'] })
  const connectionId = await made('/v1/admin/connections', {
    name: 'Northwind Workforce',
    slug: 'workforce',
    provider: 'oidc',
    configuration: { issuer: 'https://login.northwind.test', clientId: 'gatehouse' },
    secret: unique(),
    roleMappings: [{ claim: 'groups', value: 'support', roleId: role.id }],
  })
  await linkedIdentity(service, { organisationId: organisation.id, userId, connectionId })
  const directoryId = await made('/v1/admin/directories', {
    name: 'Northwind Entra ID',
    groupMappings: [{ group: { displayName: 'Support' }, roleIds: [role.id], teamIds: [teamId] }],
  })
  await made(`/v1/admin/directories/${directoryId}/tokens`, {})
  const refused = {
    method: 'PATCH',
    status: 400,
    scimType: 'invalidPath',
    detail: 'No such attribute: nickname',
    requestBody: '{"Operations":[]}',
  }
  await loggedRequest(service, { organisationId: organisation.id, directoryId }, refused)
  const resourceId = await made('/v1/admin/resource-servers', {
    name: 'Northwind Orders',
    identifier: `https://api.northwind.example/${unique()}`,
    scopes: [{ name: 'orders:read', description: 'Read your orders' }],
  })
  const agent = await givenApplication(service, { organisation, name: 'Northwind Agent', clientType: 'confidential' })
  const otherApiId = await made('/v1/admin/resource-authorization-servers', {
    name: 'Fabrikam Orders',
    issuer: 'https://login.fabrikam.test',
    audienceClientId: application.id,
    resources: [{ identifier: 'https://api.fabrikam.test/orders', scopes: ['orders:read', 'orders:write'] }],
    grants: [
      {
        clientId: agent.id,
        downstreamClientId: 'northwind-agent',
        resources: ['https://api.fabrikam.test/orders'],
        scopes: ['orders:read'],
        roleIds: [role.id],
        teamIds: [teamId],
      },
    ],
  })
  const domainId = await made('/v1/admin/domains', { domain: 'northwind.example', connectionId })
  await made('/v1/admin/registration-tokens', { name: 'Previews', maxUses: 10, allowedScopes: ['orders:read'] })
  const setupLinkId = await made('/v1/admin/setup-links', { name: 'Northwind IT', purposes: ['domain'] })
  await service.settled()
  await service.deliverDueWebhooks()

  const { body: clients } = await owner.get(`/v1/admin/clients?${new URLSearchParams({ q: 'Northwind Planner' })}`)
  const { body: diagnostics } = await owner.get('/v1/admin/diagnostics')
  const { body: entries } = await owner.get('/v1/admin/audit-logs?limit=1')
  const { body: sessions } = await owner.get(`/v1/admin/users/${userId}/sessions`)
  const { body: deliveries } = await owner.get(`/v1/admin/webhooks/${endpoint.id}/deliveries`)
  return {
    organisation,
    owner,
    userId,
    roleId: role.id,
    teamId,
    clientId: clients.data[0].id,
    endpointId: endpoint.id,
    deliveryId: deliveries.data[0].id,
    reference: diagnostics.data[0].reference,
    entryId: entries.data[0].id,
    signInId: sessions.data[0].signInId,
    directoryId,
    resourceId,
    otherApiId,
    agentId: agent.id,
    domainId,
    setupLinkId,
    connectionId,
  }
}

/** What an application was told of an ended session. It has an address only where the operator has switched that on. */
async function toldLogout(
  { database, clock }: TestService,
  { organisationId, clientId, userId }: { organisationId: string; clientId: string; userId: string },
): Promise<void> {
  const tenant = database.tenant(organisationId)
  const [id, now] = [newId('lgd', clock.now()), clock.now()]
  const backchannelLogoutUri = 'https://planner.northwind.test/backchannel-logout'
  await tenant.updateTable('clients').set({ backchannelLogoutUri }).where('id', '=', clientId).execute()
  await tenant
    .insertInto('logoutDeliveries')
    .values({ id, clientId, userId, sessionId: newId('ses', now), status: 'failed', attemptCount: 1, lastStatusCode: 400, createdAt: now })
    .execute()
  await tenant
    .insertInto('logoutAttempts')
    .values({
      ...{ deliveryId: id, number: 1, at: now, status: 400, durationMilliseconds: 84 },
      ...{ error: 'Response status 400', response: '{"error":"invalid_request"}' },
    })
    .execute()
}

const one = (address: string) => () => [address]

interface ConsolePage {
  /** Where it is, with each of its tabs. */
  addresses: (shown: Shown) => string[]
  /** It is for those who may do one of these calls, and for every user without any. */
  calls?: string[]
}

/** Every page of the console, by its path in the router. */
const pages: Record<string, ConsolePage> = {
  '/': { addresses: one('/') },
  '/users': { addresses: one('/users'), calls: ['GET /v1/admin/users'] },
  '/users/$id/{-$tab}': {
    addresses: ({ userId }) => withTabs(`/users/${userId}`, 'access', 'sessions', 'passkeys', 'identities', 'applications', 'history'),
    calls: ['GET /v1/admin/users/{id}'],
  },
  '/invitations': { addresses: one('/invitations'), calls: ['GET /v1/admin/invitations'] },
  '/roles': { addresses: one('/roles'), calls: ['GET /v1/admin/roles'] },
  '/roles/matrix': { addresses: one('/roles/matrix'), calls: ['GET /v1/admin/roles'] },
  '/roles/$id/{-$tab}': { addresses: ({ roleId }) => withTabs(`/roles/${roleId}`, 'history'), calls: ['GET /v1/admin/roles/{id}'] },
  '/teams': { addresses: one('/teams'), calls: ['GET /v1/admin/teams'] },
  '/teams/$id/{-$tab}': {
    addresses: ({ teamId }) => withTabs(`/teams/${teamId}`, 'settings', 'history'),
    calls: ['GET /v1/admin/teams/{id}'],
  },
  '/applications': { addresses: one('/applications'), calls: ['GET /v1/admin/clients'] },
  '/applications/registration-tokens': {
    addresses: one('/applications/registration-tokens'),
    calls: ['GET /v1/admin/registration-tokens'],
  },
  '/applications/new': { addresses: one('/applications/new'), calls: ['POST /v1/admin/clients'] },
  '/applications/$id/{-$tab}': {
    addresses: ({ clientId }) =>
      withTabs(`/applications/${clientId}`, 'settings', 'security', 'users', 'claims', 'logout', 'try', 'refusals', 'history'),
    calls: ['GET /v1/admin/clients/{id}'],
  },
  '/try': { addresses: one('/try') },
  '/api-keys': { addresses: one('/api-keys'), calls: ['GET /v1/admin/api-keys'] },
  '/webhooks': { addresses: one('/webhooks'), calls: ['GET /v1/admin/webhooks'] },
  '/webhooks/deliveries': { addresses: one('/webhooks/deliveries'), calls: ['GET /v1/admin/deliveries'] },
  '/webhooks/$id/{-$tab}': {
    addresses: ({ endpointId }) => withTabs(`/webhooks/${endpointId}`, 'settings', 'verify', 'history'),
    calls: ['GET /v1/admin/webhooks/{id}'],
  },
  '/webhooks/$id/deliveries/$deliveryId': {
    addresses: ({ endpointId, deliveryId }) => [`/webhooks/${endpointId}/deliveries/${deliveryId}`],
    calls: ['GET /v1/admin/webhooks/{id}/deliveries/{deliveryId}'],
  },
  '/events': { addresses: () => ['/events', '/events?event=user.created'], calls: ['GET /v1/admin/events'] },
  '/audit': { addresses: one('/audit'), calls: ['GET /v1/admin/audit-logs'] },
  '/sign-ins/$id': { addresses: ({ signInId }) => [`/sign-ins/${signInId}`], calls: ['GET /v1/admin/sign-ins/{id}'] },
  '/diagnostics': { addresses: one('/diagnostics'), calls: ['GET /v1/admin/diagnostics'] },
  '/diagnostics/$reference': {
    addresses: ({ reference }) => [`/diagnostics/${reference}`],
    calls: ['GET /v1/admin/diagnostics/{reference}'],
  },
  '/explain': { addresses: one('/explain'), calls: ['POST /v1/admin/permission-checks'] },
  '/sign-in-check': {
    addresses: () => ['/sign-in-check', '/sign-in-check?email=nobody@example.test'],
    calls: ['POST /v1/admin/sign-in-checks'],
  },
  '/unused': {
    addresses: one('/unused'),
    calls: ['GET /v1/admin/roles', 'GET /v1/admin/api-keys', 'GET /v1/admin/clients', 'GET /v1/admin/users'],
  },
  '/connections': { addresses: one('/connections'), calls: ['GET /v1/admin/connections'] },
  '/connections/$id/{-$tab}': {
    addresses: ({ connectionId }) => withTabs(`/connections/${connectionId}`, 'accounts', 'history'),
    calls: ['GET /v1/admin/connections/{id}'],
  },
  '/directories': { addresses: one('/directories'), calls: ['GET /v1/admin/directories'] },
  '/directories/new': { addresses: one('/directories/new'), calls: ['POST /v1/admin/directories'] },
  '/directories/$id/{-$tab}': {
    addresses: ({ directoryId }) => [
      ...withTabs(`/directories/${directoryId}`, 'requests', 'groups', 'settings', 'history'),
      // The guide continues with what it has made.
      `/directories/new?directory=${directoryId}`,
    ],
    calls: ['GET /v1/admin/directories/{id}'],
  },
  '/resources': { addresses: one('/resources'), calls: ['GET /v1/admin/resource-servers'] },
  '/resources/new-mcp-server': { addresses: one('/resources/new-mcp-server'), calls: ['POST /v1/admin/resource-servers'] },
  '/resources/$id/{-$tab}': {
    addresses: ({ resourceId }) => withTabs(`/resources/${resourceId}`, 'scopes', 'applications', 'metadata', 'claims', 'history'),
    calls: ['GET /v1/admin/resource-servers/{id}'],
  },
  '/other-apis': { addresses: one('/other-apis'), calls: ['GET /v1/admin/resource-authorization-servers'] },
  '/other-apis/$id/{-$tab}': {
    addresses: ({ otherApiId, userId, agentId }) => [
      ...withTabs(`/other-apis/${otherApiId}`, 'grants', 'ask', 'history'),
      `/other-apis/${otherApiId}/ask?userId=${userId}&clientId=${agentId}`,
    ],
    calls: ['GET /v1/admin/resource-authorization-servers/{id}'],
  },
  '/domains': { addresses: one('/domains'), calls: ['GET /v1/admin/domains'] },
  '/domains/$id': { addresses: ({ domainId }) => [`/domains/${domainId}`], calls: ['GET /v1/admin/domains/{id}'] },
  '/setup-links': { addresses: one('/setup-links') },
  '/setup-links/$id': { addresses: ({ setupLinkId }) => [`/setup-links/${setupLinkId}`] },
  '/system/doctor': { addresses: one('/system/doctor') },
  '/$': { addresses: one('/nowhere') },
  '/organisation/$section': {
    addresses: () => ['general', 'sign-in', 'tokens', 'urls', 'branding', 'danger'].map((section) => `/organisation/${section}`),
  },
}

const withTabs = (address: string, ...tabs: string[]) => [address, ...tabs.map((tab) => `${address}/${tab}`)]

/** The paths of all pages, as the router names them. */
const consolePaths = [...readFileSync('console/src/router.tsx', 'utf8').matchAll(/\bpath: '([^']+)'/g)]
  .map(([, path = '']) => path)
  .filter((path) => path !== '/signed-in')

/** Every page of the console: its addresses, and the calls of which its readers may do one. */
export const everyPage = (shown: Shown) =>
  consolePaths.map((path) => {
    const page = pages[path]
    if (!page) throw new Error(`test/console/every-page.ts does not visit ${path}`)
    const addresses = page.addresses(shown).map((address) => `/console${address === '/' ? '' : address}`)
    return { path, addresses, calls: page.calls ?? [] }
  })

/** Every address of the console, each page with all its tabs. */
export const everyAddress = (shown: Shown): string[] => everyPage(shown).flatMap(({ addresses }) => addresses)

/** Every address that shows a table. A test lays each out with one very long cell. */
export const everyTable = (shown: Shown): string[] => {
  const { userId, roleId, teamId, clientId, endpointId, connectionId, directoryId, resourceId, otherApiId } = shown
  return [
    ...['users', 'invitations', 'roles', 'roles/matrix', 'teams', 'applications', 'api-keys', 'webhooks', 'webhooks/deliveries'],
    ...['audit', 'diagnostics', 'connections', 'domains', 'unused', `explain?userId=${userId}`, 'explain?permission=users:read'],
    ...['sessions', 'passkeys', 'identities', 'applications', 'access', 'history'].map((tab) => `users/${userId}/${tab}`),
    ...[`roles/${roleId}`, `roles/${roleId}/history`, `teams/${teamId}`, `teams/${teamId}/history`, `webhooks/${endpointId}`],
    ...['security', 'users', 'logout', 'refusals'].map((tab) => `applications/${clientId}/${tab}`),
    ...[`connections/${connectionId}/history`, 'applications/registration-tokens', 'setup-links', 'organisation/general'],
    ...['resources', `resources/${resourceId}/scopes`, `resources/${resourceId}/applications`],
    ...['other-apis', `other-apis/${otherApiId}/grants`],
    ...['directories', ...['', '/requests', '/groups'].map((tab) => `directories/${directoryId}${tab}`)],
    `directories/new?directory=${directoryId}`,
  ].map((address) => `/console/${address}`)
}

/** Addresses that open something over a page. */
export const everyOverlay = ({ entryId }: Shown): string[] => [
  ...[
    'users',
    'invitations',
    'roles',
    'teams',
    'api-keys',
    'webhooks',
    'connections',
    'other-apis',
    'domains',
    'setup-links',
    'applications/registration-tokens',
  ].map((page) => `/console/${page}?create=yes`),
  `/console/audit?entry=${entryId}`,
]

/** What every page needs or the service never changes, and is asked for once. */
const askedOnce = ['/v1/auth/csrf', '/v1/me/profile', '/v1/service', '/v1/admin/statistics']
const requestsMax = 4

/**
 * Follows what pages ask the API for.
 *
 * @returns says what was too much since it was last asked: more requests than a page may make, or several that differ by an id
 * alone, as one for each row would
 */
export function followRequests(page: Page): () => string[] {
  const asked = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/v1/') && !askedOnce.includes(pathname)) asked.add(`${request.method()} ${pathname}${search}`)
  })
  return () => {
    const requests = [...asked]
    asked.clear()
    const alike = Map.groupBy(requests, (request) => request.replaceAll(/[a-z]{2,4}_[0-9a-z]{26}/g, '{id}'))
    const forEachRow = [...alike].filter(([, { length }]) => length > 1).map(([request]) => `for each row: ${request}`)
    return requests.length > requestsMax ? [...forEachRow, `${requests.length} requests: ${requests.join(', ')}`] : forEachRow
  }
}

const loadedMax = { script: 170_000, style: 10_000 }

/**
 * Follows what the browser loads of the console.
 *
 * @returns says what was too much since it was last asked, as the first page: scripts and styles, compressed by brotli
 */
export function followLoads(page: Page): () => string[] {
  const listed: { path: string; sizes: { br: number } }[] = JSON.parse(readFileSync('dist/console/files.json', 'utf8'))
  const sizes = new Map(listed.map(({ path, sizes: { br } }) => [`/console/${path}`, br]))
  const loaded = new Set<string>()
  page.on('request', (request) => void loaded.add(new URL(request.url()).pathname))
  return () => {
    const files = [...loaded]
    loaded.clear()
    const sumOf = (ending: string) => files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
    const [script, style] = [sumOf('.js'), sumOf('.css')]
    if (script < loadedMax.script / 2) return [`loads ${script} bytes of script, which is not the whole console`]
    return script > loadedMax.script || style > loadedMax.style ? [`loads ${script} bytes of script, ${style} of styles`] : []
  }
}
