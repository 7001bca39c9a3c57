import type { Insertable } from 'kysely'
import type { ConnectionsTable } from '../../src/platform/database/tables.ts'
import { unique } from './given.ts'
import type { Answer, HttpClient } from './http-client.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { givenApplication, type TestApplication } from './oauth.ts'
import { PageVisitor } from './page-visitor.ts'
import { forgetStarts, type TestService } from './service.ts'

/** For a connection whose addresses have to be registered before there is one. */
export const newConnectionId = () => `con_${unique()}`

/** A connection of an organisation to an identity provider, with its secret. */
export async function connect(
  { database, services }: TestService,
  organisation: { id: string },
  provider: Pick<IdentityProvider, 'issuer'>,
  changes: Partial<Insertable<ConnectionsTable>> = {},
): Promise<string> {
  const { id = newConnectionId() } = changes
  const tenant = database.tenant(organisation.id)
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim' }
  await tenant
    .insertInto('connections')
    .values({
      id,
      slug: `connection-${unique()}`,
      name: 'Workforce',
      type: 'oidc',
      provider: 'oidc',
      configuration: JSON.stringify(configuration),
      secretEncrypted: services.keyring.encrypt('secret', id),
      mapping: '{}',
      roleMappings: '[]',
      teamMappings: '[]',
      mfaContexts: '[]',
      createdAt: tenant.now,
      updatedAt: tenant.now,
      ...changes,
    })
    .execute()
  return id
}

export interface FederatedVisit {
  visitor?: PageVisitor
  returnTo?: string
}

/** A browser that signs in by a connection, up to what the service answers at the callback. */
export async function signInBy(
  service: TestService,
  provider: IdentityProvider,
  connectionId: string,
  { visitor = new PageVisitor(service.origin), returnTo = '/account' }: FederatedVisit = {},
): Promise<Answer & { visitor: PageVisitor }> {
  await forgetStarts(service)
  return { ...(await visitor.open(await callbackPath(provider, connectionId, visitor, returnTo))), visitor }
}

/** The path at which the identity provider sends the browser back. */
export async function callbackPath(
  provider: IdentityProvider,
  connectionId: string,
  visitor: PageVisitor,
  returnTo = '/account',
): Promise<string> {
  const started = await visitor.open(`/federation/${connectionId}/start?${new URLSearchParams({ returnTo })}`)
  const location = started.headers.get('location')
  if (started.status !== 303 || !location) throw new Error(`The sign-in did not begin: ${started.status} ${started.body}`)
  const { pathname, search } = new URL(provider.authorize(new URL(location).searchParams))
  return pathname + search
}

/** A user of an organisation with an application, who has signed in by a connection, as the account that is signed in there. */
export async function userByConnection(
  service: TestService,
  provider: IdentityProvider,
  { application, ...changes }: Parameters<typeof connect>[3] & { application?: TestApplication } = {},
) {
  const portal = application ?? (await givenApplication(service, { postLogoutRedirectUris: ['https://portal.example.test/'] }))
  const { organisation } = portal
  const configuration = { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['example.test'] }
  const connectionId = await connect(service, organisation, provider, {
    provisioning: 'jit',
    configuration: JSON.stringify(configuration),
    ...changes,
  })
  const subject = `sub-${unique()}`
  provider.behaviour.user = { sub: subject, email: `ada-${unique()}@example.test`, email_verified: true }
  const { visitor } = await signInBy(service, provider, connectionId)
  return { application: portal, organisation, connectionId, subject, visitor, browser: await clientOf(service, visitor) }
}

/** The API as the page of a signed-in browser calls it. */
export async function clientOf(service: TestService, { cookie }: PageVisitor): Promise<HttpClient> {
  const { body } = await service.anonymous.with({ cookie }).get('/v1/auth/csrf')
  return service.anonymous.with({ cookie, 'x-csrf-token': body.csrfToken })
}

/** The session of a browser that is signed in. */
export async function meOf(service: TestService, visitor: PageVisitor): Promise<Answer> {
  return (await clientOf(service, visitor)).get('/v1/me/profile')
}

/** The status of a connection of which nothing is wrong. */
export const workingStatus = {
  state: 'ok',
  since: null,
  error: null,
  check: null,
  groupsCutSince: null,
  certificatesExpireAt: null,
  metadataExpireAt: null,
  certificatesLeftOut: 0,
}
