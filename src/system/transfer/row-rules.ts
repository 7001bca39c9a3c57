import { z } from 'zod'
import { NewUser, UserChanges } from '../../accounts/schemas.ts'
import { NewApiKey } from '../../api-keys/schemas.ts'
import { unfitSettings } from '../../clients/create-client.ts'
import type { GrantRules } from '../../clients/rules.ts'
import { clientSchemas } from '../../clients/schemas.ts'
import { NewConnection } from '../../connections/schemas.ts'
import { NewDirectory } from '../../directories/schemas.ts'
import { DomainChanges, NewDomain } from '../../domains/schemas.ts'
import { NewInvitation } from '../../invitations/schemas.ts'
import { isPicture } from '../../organisations/picture.ts'
import { NewOrganisation, OrganisationChanges } from '../../organisations/schemas.ts'
import type { FieldError } from '../../platform/http/problem.ts'
import { hasUnfitText } from '../../platform/text.ts'
import { registrationTokenSchemas } from '../../registration-tokens/schemas.ts'
import { issuerMistake } from '../../resource-authorization-servers/rules.ts'
import { NewResourceAuthorizationServer } from '../../resource-authorization-servers/schemas.ts'
import { identifierMistake } from '../../resource-servers/rules.ts'
import { NewResourceServer } from '../../resource-servers/schemas.ts'
import { NewRole } from '../../roles/schemas.ts'
import { NewTeam } from '../../teams/schemas.ts'
import { resourceIdentifierOf } from '../../tokens/rules.ts'
import { NewWebhook } from '../../webhooks/endpoints/schemas.ts'

type Fields = Readonly<Record<string, z.ZodType>>

type Row = Readonly<Record<string, unknown>>

/** The rules that routes apply to the rows of each table. */
export interface RowRules {
  fields: Readonly<Record<string, Fields>>
  /** Finds what does not fit together in a row whose fields are valid each by itself. */
  together: Readonly<Record<string, (row: Row) => FieldError[]>>
}

export const rowRules = (grants: readonly GrantRules[]): RowRules => ({
  fields: fieldRules(grants),
  together: {
    // A deleted client gets no tokens, and may be of a time with fewer rules. Each field of the row has the type of its column.
    clients: (row) => (row.deletedAt === null ? unfitSettings(row as unknown as Parameters<typeof unfitSettings>[0], grants) : []),
  },
})

function fieldRules(grants: readonly GrantRules[]): RowRules['fields'] {
  const client = clientSchemas(grants).NewClient.shape
  const { name, email, phone, website, allowedCallbackUrls, allowedLogoutUrls, allowedOrigins, branding, metadata } =
    OrganisationChanges.shape
  const { sessionLifetime, sessionIdleTimeout, allowedMfaMethods, passwordPolicy, tokenLifetimePolicy, signInPolicy } =
    OrganisationChanges.shape
  const connection = NewConnection.shape
  const directory = NewDirectory.shape
  const resourceServer = NewResourceServer.shape
  const registrationToken = registrationTokenSchemas(grants).NewRegistrationToken.shape
  const otherServer = NewResourceAuthorizationServer.shape
  return {
    organisations: {
      ...{ slug: NewOrganisation.shape.slug, name, email, phone, website, allowedCallbackUrls, allowedLogoutUrls, allowedOrigins },
      ...{ branding, metadata, sessionLifetime, sessionIdleTimeout, allowedMfaMethods, passwordPolicy, tokenLifetimePolicy, signInPolicy },
    },
    users: {
      // The first owner of an organisation may have no last name.
      ...{ email: NewUser.shape.email, firstName: NewUser.shape.firstName, lastName: z.literal('').or(NewUser.shape.lastName) },
      ...{ phone: UserChanges.shape.phone, blockedReason: UserChanges.shape.blockedReason, metadata: UserChanges.shape.metadata },
    },
    roles: { name: NewRole.shape.name, slug: NewRole.shape.slug, description: NewRole.shape.description },
    teams: { name: NewTeam.shape.name, slug: NewTeam.shape.slug, description: NewTeam.shape.description },
    clients: {
      ...{ name: client.name, description: client.description, redirectUris: client.redirectUris, scopes: client.scopes },
      ...{ postLogoutRedirectUris: client.postLogoutRedirectUris, initiateLoginUri: client.initiateLoginUri, logoUrl: client.logoUrl },
      ...{ grantTypes: client.grantTypes, clientType: client.clientType, defaultAcrValues: client.defaultAcrValues },
      ...{ accessTokenLifetime: client.accessTokenLifetime, idTokenLifetime: client.idTokenLifetime },
      ...{ refreshTokenLifetime: client.refreshTokenLifetime, refreshTokenAbsoluteLifetime: client.refreshTokenAbsoluteLifetime },
      ...{ refreshTokenGraceSeconds: client.refreshTokenGraceSeconds, authorizationCodeTtl: client.authorizationCodeTtl },
      ...{ idTokenSignedResponseAlg: client.idTokenSignedResponseAlg, resourceServerIds: client.resourceServerIds },
      ...{ introspectionSignedResponseAlg: client.introspectionSignedResponseAlg, profile: client.profile },
      tlsClientAuth: client.tlsClientAuth,
      ...{ backchannelLogoutUri: client.backchannelLogoutUri, backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired },
      backchannelLogoutRevokesRefresh: client.backchannelLogoutRevokesRefresh,
      ...{ defaultResource: client.defaultResource, jwks: client.jwks, jwksUri: client.jwksUri, claimMappings: client.claimMappings },
      federatedCredentials: client.federatedCredentials,
    },
    resource_servers: {
      ...{ name: resourceServer.name, scopes: resourceServer.scopes, accessTokenLifetime: resourceServer.accessTokenLifetime },
      identifier: resourceServer.identifier.refine(isIdentifier, 'is not the identifier of a resource server'),
      ...{ introspectionClientIds: resourceServer.introspectionClientIds, exchangeClientIds: resourceServer.exchangeClientIds },
      claimMappings: resourceServer.claimMappings,
    },
    resource_authorization_servers: {
      ...{ name: otherServer.name, resources: otherServer.resources, grants: otherServer.grants },
      issuer: otherServer.issuer.refine(isIssuer, 'is not the issuer of an authorization server'),
    },
    connections: {
      ...{ name: connection.name, slug: connection.slug, provider: connection.provider, configuration: connection.configuration },
      ...{ linking: connection.linking, provisioning: connection.provisioning, mapping: connection.mapping, syncOn: connection.syncOn },
      ...{ roleMappings: connection.roleMappings, teamMappings: connection.teamMappings, mfaContexts: connection.mfaContexts },
      ...{ sessionMaxAgeSeconds: connection.sessionMaxAgeSeconds, identityAssertions: connection.identityAssertions },
    },
    directories: {
      ...{ name: directory.name, userMatch: directory.userMatch, emailChanges: directory.emailChanges },
      ...{ deletes: directory.deletes, groups: directory.groups, groupMappings: directory.groupMappings },
    },
    api_keys: { name: NewApiKey.shape.name, federatedCredentials: NewApiKey.shape.federatedCredentials },
    registration_tokens: { name: registrationToken.name, allowedScopes: registrationToken.allowedScopes },
    webhook_endpoints: { url: NewWebhook.shape.url, events: NewWebhook.shape.events },
    organisation_domains: { domain: NewDomain.shape.domain, sso: NewDomain.shape.sso, bypassUserIds: DomainChanges.shape.bypassUserIds },
    organisation_logos: { contentBase64: z.string().refine(isPicture, 'is not a picture of at most 256 KiB') },
    invitations: { email: NewInvitation.shape.email },
  }
}

/** Whether the route stores an identifier in this form. Which address is this service's, `arrive` knows. */
const isIdentifier = (uri: string) =>
  resourceIdentifierOf(uri) === uri && identifierMistake(uri, { issuer: 'https://gatehouse.invalid', allowLoopback: true }) === undefined

const isIssuer = (uri: string) => issuerMistake(uri, { issuer: 'https://gatehouse.invalid', allowLoopback: true }) === undefined

/** Yields the values of a row that a route would refuse, and texts that no route accepts. An erased user has no such values left. */
export function* mistakesOfValues(rules: RowRules, table: string, row: Row): Generator<string> {
  const fields = row.erasedAt ? {} : (rules.fields[table] ?? {})
  let isUnfit = false
  for (const [field, value] of Object.entries(row)) {
    const rule = fields[field]
    const { error } = (value !== null && rule?.safeParse(value)) || {}
    if (!error && !hasUnfitText(value)) continue
    isUnfit = true
    yield error ? `${[field, ...(error.issues[0]?.path ?? [])].join('.')}: ${error.issues[0]?.message}` : `${field} has control characters`
  }
  if (!isUnfit) for (const { path, message } of rules.together[table]?.(row) ?? []) yield `${path.join('.')}: ${message}`
}
