import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type SignedInUser, type TestOrganisation, unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'
import { createEndpoint } from '../support/webhooks.ts'

/** An organisation in which every page has something to show. */
export interface Scene {
  organisation: TestOrganisation
  owner: SignedInUser
  userId: string
  roleId: string
  teamId: string
  clientId: string
  endpointId: string
  deliveryId: string
  reference: string
  entryId: string
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
  await owner.patch('/v1/admin/organisation', { name: 'Northwind Trading' })
  const made = async (path: string, body: object) => (await owner.post(path, body)).body.id as string

  const endpoint = await createEndpoint(owner, { url: 'https://hooks.northwind.test/gatehouse', events: ['*'] })
  const role = await given.role(owner, { name: 'Support', slug: 'support', permissions: ['users:read', 'audit:read'] })
  const teamId = await made('/v1/admin/teams', {
    name: 'Customer care',
    slug: 'customer-care',
    description: 'Everybody who talks to customers',
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
  await given.signIn(user.email)
  await owner.patch(`/v1/admin/users/${userId}`, { phone: '+442079460000' })

  const application = await givenApplication(service, { organisation, name: 'Northwind Planner' })
  await application.authorize({ redirect_uri: 'https://portal.example.test/callbcak' })
  await made('/v1/admin/invitations', { email: `invited-${unique()}@northwind.test`, roleId: role.id, teamIds: [teamId] })
  const { body: permissions } = await owner.get('/v1/admin/permissions')
  const permissionIds = permissions.data.filter(({ slug }: { slug: string }) => slug.endsWith(':read')).map(({ id }: { id: string }) => id)
  await made('/v1/admin/api-keys', { name: 'Nightly export', permissionIds })
  await service.settled()
  await service.deliverDueWebhooks()

  const { body: clients } = await owner.get('/v1/admin/clients')
  const { body: diagnostics } = await owner.get('/v1/admin/diagnostics')
  const { body: entries } = await owner.get('/v1/admin/audit-logs?limit=1')
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
  }
}

const one = (address: string) => () => [address]

/** The addresses of every page, by its path in the router, with what can be open on it. */
const addresses: Record<string, (scene: Scene) => string[]> = {
  '/': one('/'),
  '/users': one('/users'),
  '/users/$id/{-$tab}': ({ userId }) => withTabs(`/users/${userId}`, 'access', 'sessions', 'applications', 'history'),
  '/invitations': one('/invitations'),
  '/roles': one('/roles'),
  '/roles/matrix': one('/roles/matrix'),
  '/roles/$id/{-$tab}': ({ roleId }) => withTabs(`/roles/${roleId}`),
  '/teams': one('/teams'),
  '/teams/$id/{-$tab}': ({ teamId }) => withTabs(`/teams/${teamId}`),
  '/applications': one('/applications'),
  '/applications/new': one('/applications/new'),
  '/applications/$id/{-$tab}': ({ clientId }) => withTabs(`/applications/${clientId}`, 'connect', 'settings', 'try', 'refusals', 'history'),
  '/try': one('/try'),
  '/api-keys': one('/api-keys'),
  '/webhooks': one('/webhooks'),
  '/webhooks/deliveries': one('/webhooks/deliveries'),
  '/webhooks/$id/{-$tab}': ({ endpointId }) => withTabs(`/webhooks/${endpointId}`, 'deliveries', 'settings', 'verify'),
  '/webhooks/$id/deliveries/$deliveryId': ({ endpointId, deliveryId }) => [`/webhooks/${endpointId}/deliveries/${deliveryId}`],
  '/events': one('/events'),
  '/audit': one('/audit'),
  '/diagnostics': one('/diagnostics'),
  '/diagnostics/$reference': ({ reference }) => [`/diagnostics/${reference}`],
  '/explain': one('/explain'),
  '/unused': one('/unused'),
  '/organisation/$section': () =>
    ['general', 'sign-in', 'tokens', 'urls', 'branding', 'danger'].map((section) => `/organisation/${section}`),
}

const withTabs = (address: string, ...tabs: string[]) => [address, ...tabs.map((tab) => `${address}/${tab}`)]

/** The paths of all pages within the shell, as the router names them. */
const consolePaths = [...readFileSync('console/src/router.tsx', 'utf8').matchAll(/\bpath: '([^']+)'/g)]
  .map(([, path = '']) => path)
  .filter((path) => path !== '/signed-in')

/** Every address of the console, each page with all its tabs. */
export const everyAddress = (scene: Scene): string[] => consolePaths.flatMap((path) => addressesOf(path, scene))

/** Addresses that open something over a page. */
export const everyOverlay = ({ entryId }: Scene): string[] => [
  ...['users', 'invitations', 'roles', 'teams', 'api-keys', 'webhooks'].map((page) => `/console/${page}?create=yes`),
  `/console/audit?entry=${entryId}`,
]

function addressesOf(path: string, scene: Scene): string[] {
  const found = addresses[path]
  if (!found) throw new Error(`test/console/every-page.ts does not visit ${path}`)
  return found(scene).map((address) => `/console${address === '/' ? '' : address}`)
}

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
