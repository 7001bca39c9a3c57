import { expect } from 'vitest'
import { verifiedDomain } from './domains.ts'
import { type TestOrganisation, unique } from './given.ts'
import { PageVisitor } from './page-visitor.ts'
import type { SamlifyProvider, SignedInUser } from './samlify-provider.ts'
import { forgetStarts, type TestService } from './service.ts'

export interface SamlConnection {
  id: string
  slug: string
  acsUrl: string
  entityId: string
  configuration: Record<string, string> & { certificates: string[] }
  status: object
}

export const samlFields = (provider: SamlifyProvider, fields: Record<string, unknown> = {}) => ({
  name: 'Workforce',
  slug: `saml-${unique()}`,
  provider: 'saml',
  configuration: { metadataXml: provider.metadata },
  ...fields,
})

/** A connection by SAML that gives accounts to users of a domain that is proven and assigned to it. */
export async function connectSaml(
  service: TestService,
  provider: SamlifyProvider,
  fields: Record<string, unknown> = {},
): Promise<TestOrganisation & { connection: SamlConnection; domain: string; domainId: string }> {
  const organisation = await service.given.organisation()
  const { status, body } = await organisation.owner.post('/v1/admin/connections', samlFields(provider, { provisioning: 'jit', ...fields }))
  expect([status, body]).toMatchObject([201, { type: 'saml' }])
  const { domain, id } = await verifiedDomain(service, organisation.owner, { connectionId: body.id, sso: 'offered' })
  return { ...organisation, connection: body, domain, domainId: id }
}

export const ownMetadataOf = async (service: TestService, { id }: { id: string }) =>
  (await service.anonymous.get(`/saml/${id}/metadata`)).body as string

/** Begins a sign-in, up to the identity provider. */
export async function beginSaml(
  service: TestService,
  connection: { id: string },
  { visitor = new PageVisitor(service.origin), more = '', returnTo = '/account' } = {},
) {
  await forgetStarts(service)
  const started = await visitor.open(`/federation/${connection.id}/start?${new URLSearchParams({ returnTo })}${more}`)
  expect(started.status).toBe(303)
  const location = new URL(started.headers.get('location') ?? '')
  const state = location.searchParams.get('RelayState') ?? ''
  return { visitor, location, state, metadata: await ownMetadataOf(service, connection) }
}

/** Posts a response as the page of a provider does, which sends no cookie of ours. */
export const postResponse = ({ origin }: TestService, connection: { id: string }, state: string, message: string) =>
  fetch(`${origin}/saml/${connection.id}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://samlify.test', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ SAMLResponse: message, RelayState: state }),
  })

/** A whole sign-in, up to the page to which it leads. */
export async function signInBySaml(
  service: TestService,
  connection: { id: string },
  user: SignedInUser,
  by: SamlifyProvider,
  begun: Parameters<typeof beginSaml>[2] = {},
) {
  const { visitor, location, state, metadata } = await beginSaml(service, connection, begun)
  const request = await by.readRequest(metadata, location)
  const message = await by.respond(metadata, request.id, user)
  const posted = await postResponse(service, connection, state, message)
  expect(posted.status).toBe(303)
  const answer = await visitor.open(posted.headers.get('location') ?? '')
  return { ...answer, visitor, state, message }
}

/** A user whom only the provider knows. */
export const newAtProvider = (domain: string): SignedInUser => ({
  nameId: `anna-${unique()}`,
  email: `anna-${unique()}@${domain}`,
  sessionIndex: `_session-${unique()}`,
})
