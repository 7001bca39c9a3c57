import { expect } from 'vitest'
import { linkedIdentity } from './connections.ts'
import { connect } from './federation.ts'
import { type SignedInUser, type TestOrganisation, unique } from './given.ts'
import type { Answer } from './http-client.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { givenApplication, type Registration, type TestApplication } from './oauth.ts'
import { type GivenResourceServer, resourceServer } from './resource-servers.ts'
import type { TestService } from './service.ts'

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const identityAssertion = 'urn:ietf:params:oauth:token-type:id-jag'
const idTokenType = 'urn:ietf:params:oauth:token-type:id_token'
export const refreshTokenType = 'urn:ietf:params:oauth:token-type:refresh_token'

/** Every refusal is stored, although they all come from one address. */
export const withAssertions = { OAUTH_EXTENSIONS: 'identity_assertions,resource_indicators,step_up', RATE_LIMIT: 'off' }

/** An organisation that accepts the assertions of a provider for one of its APIs, and a user who is known there. */
export interface Accepting {
  organisation: TestOrganisation
  owner: SignedInUser
  orders: GivenResourceServer
  editor: TestApplication
  connectionId: string
  userId: string
  subject: string
}

interface AcceptingOptions {
  settings?: Record<string, unknown>
  connection?: Parameters<typeof connect>[3]
  registration?: Registration
  organisation?: TestOrganisation
  /** A connection that there is. */
  connectionId?: string
  /** A user who may have an identity there. */
  userId?: string
}

export async function givenAccepting(
  service: TestService,
  provider: Pick<IdentityProvider, 'issuer'>,
  { settings = {}, connection = {}, registration = {}, organisation: of, ...given }: AcceptingOptions = {},
): Promise<Accepting> {
  const organisation = of ?? (await service.given.organisation())
  const { owner } = organisation
  const scopes = ['orders:read', 'orders:write'].map((name) => ({ name, description: null }))
  const orders = await resourceServer(owner, { scopes })
  const editor = await givenApplication(service, {
    organisation,
    name: 'Editor',
    grantTypes: ['authorization_code', jwtBearer],
    scopes: ['orders:read', 'orders:write'],
    resourceServerIds: [orders.id],
    ...registration,
  })
  const connectionId = given.connectionId ?? (await connect(service, organisation, provider, connection))
  const identityAssertions = { accepted: true, resourceServerIds: [orders.id], ...settings }
  const changed = await owner.patch(`/v1/admin/connections/${connectionId}`, { identityAssertions })
  expect(changed).toMatchObject({ status: 200, body: { identityAssertions } })
  const userId = given.userId ?? (await service.given.user(owner)).id
  const { subject } = await linkedIdentity(service, { organisationId: organisation.id, userId, connectionId })
  return { organisation, owner, orders, editor, connectionId, userId, subject }
}

/** The claims of an assertion that is accepted. */
export const assertionFor = (
  { orders, editor, subject }: Accepting,
  provider: Pick<IdentityProvider, 'issuer'>,
  now: Date,
): Record<string, unknown> => {
  const seconds = Math.floor(now.getTime() / 1_000)
  return {
    iss: provider.issuer,
    sub: subject,
    aud: 'http://gatehouse.test',
    client_id: editor.id,
    jti: unique(),
    iat: seconds,
    exp: seconds + 300,
    resource: orders.identifier,
    scope: 'orders:read orders:write',
    auth_time: seconds,
  }
}

/** Signs the claims of an assertion as its provider does. */
export function signAssertion(provider: IdentityProvider, claims: object, header: Record<string, unknown> = {}): Promise<string> {
  const { behaviour } = provider
  const usual = behaviour.header
  behaviour.header = { typ: 'oauth-id-jag+jwt', ...header }
  const signed = provider.sign(claims as Record<string, unknown>)
  behaviour.header = usual
  return signed
}

/** A client presents an assertion. */
export const present = (app: TestApplication, assertion: string, form: Record<string, string> = {}): Promise<Answer> =>
  app.token({ grant_type: jwtBearer, assertion, ...form })

/** A client asks for an assertion. */
export const askForAssertion = (app: TestApplication, form: Record<string, string>): Promise<Answer> =>
  app.token({ grant_type: tokenExchange, requested_token_type: identityAssertion, subject_token_type: idTokenType, ...form })

/** The check that a refusal failed at, with what was expected and received, as an administrator sees it. */
export async function diagnosisOf(owner: SignedInUser, { body }: Answer) {
  const reference = /reference ([0-9a-z-]+)\)/.exec(body.error_description)?.[1]
  const { check, expected, received } = (await owner.get(`/v1/admin/diagnostics/${reference}`)).body
  return { check, expected, received }
}
