import { z } from 'zod'
import { kinds } from '../../../shared/kinds.ts'
import { NewUser, UserChanges } from '../../accounts/schemas.ts'
import { NewApiKey } from '../../api-keys/schemas.ts'
import { AuditEntry } from '../../audit/schemas.ts'
import { NewBlockedHost } from '../../automatic-clients/schemas.ts'
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
import { hasFormOfId } from '../../platform/ids.ts'
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
import { exportedTables } from './tables.ts'

type Fields = Readonly<Record<string, z.ZodType>>

type Row = Readonly<Record<string, unknown>>

/** The rules that routes apply to the rows of each table. */
export interface RowRules {
  fields: Readonly<Record<string, Fields>>
  /** Finds what does not fit together in a row whose fields are valid each by itself. */
  together: Readonly<Record<string, (row: Row) => FieldError[]>>
}

export function rowRules(grants: readonly GrantRules[]): RowRules {
  const ofRequests = fieldRules(grants)
  return {
    fields: Object.fromEntries(exportedTables.map((table) => [table, { ...ofRequests[table], id: idOf(table) }])),
    together: {
      // A deleted client gets no tokens, and may be of a time with fewer rules. Each field of the row has the type of its column.
      clients: (row) => (row.deletedAt === null ? unfitSettings(row as unknown as Parameters<typeof unfitSettings>[0], grants) : []),
    },
  }
}

/** No request brings an id: the service makes it, in a form that routes, look-ups and names of files rely on. */
function idOf(table: string): z.ZodType {
  const prefix = Object.values(kinds).find((kind) => kind.table === table)?.idPrefix
  return z.string().refine((id) => hasFormOfId(id, prefix), 'is not an id of this table')
}

/** Each field of a row that has the name of a field of a request has its rule; whole schemas, so that a new field is not forgotten. */
function fieldRules(grants: readonly GrantRules[]): RowRules['fields'] {
  const { phone, blockedReason, metadata } = UserChanges.shape
  const resourceServer = NewResourceServer.shape
  const otherServer = NewResourceAuthorizationServer.shape
  // A key or a token that has expired travels, too, and a token whose grants are of another release.
  const { expiresAt: _, ...apiKey } = NewApiKey.shape
  const { expiresAt: _end, allowedGrantTypes: _grants, ...registrationToken } = registrationTokenSchemas(grants).NewRegistrationToken.shape
  return {
    organisations: { ...OrganisationChanges.shape, slug: NewOrganisation.shape.slug },
    users: {
      // The first owner of an organisation may have no last name.
      ...{ email: NewUser.shape.email, firstName: NewUser.shape.firstName, lastName: z.literal('').or(NewUser.shape.lastName) },
      ...{ phone, blockedReason, metadata },
    },
    roles: NewRole.shape,
    teams: NewTeam.shape,
    clients: { ...clientSchemas(grants).NewClient.shape, registeredMetadata: anyObject },
    resource_servers: {
      ...resourceServer,
      identifier: resourceServer.identifier.refine(isIdentifier, 'is not the identifier of a resource server'),
    },
    resource_authorization_servers: {
      ...otherServer,
      issuer: otherServer.issuer.refine(isIssuer, 'is not the issuer of an authorization server'),
    },
    connections: NewConnection.shape,
    directories: NewDirectory.shape,
    api_keys: apiKey,
    registration_tokens: registrationToken,
    webhook_endpoints: NewWebhook.shape,
    organisation_domains: { ...NewDomain.shape, bypassUserIds: DomainChanges.shape.bypassUserIds },
    organisation_logos: { contentBase64: z.string().refine(isPicture, 'is not a picture of at most 256 KiB') },
    invitations: NewInvitation.shape,
    blocked_client_hosts: NewBlockedHost.shape,
    audit_logs: { changes: AuditEntry.shape.changes, metadata: AuditEntry.shape.metadata },
    directory_users: { attributes: anyObject },
    identities: { claims: anyObject },
    imported_users: { metadata: anyObject },
  }
}

/** What no request of ours sends in this form. */
const anyObject = z.record(z.string(), z.unknown())

/** Whether the route stores an identifier in this form. Which address is this service's, `arrive` knows. */
const isIdentifier = (uri: string) =>
  resourceIdentifierOf(uri) === uri && identifierMistake(uri, { issuer: 'https://gatehouse.invalid', allowLoopback: true }) === undefined

const isIssuer = (uri: string) => issuerMistake(uri, { issuer: 'https://gatehouse.invalid', allowLoopback: true }) === undefined

/** Yields the values of a row that a route would refuse, and texts that no route accepts. An erased user has no such values left. */
export function* mistakesOfValues(rules: RowRules, table: string, row: Row): Generator<string> {
  const fields = rules.fields[table] ?? {}
  let isUnfit = false
  for (const [field, value] of Object.entries(row)) {
    const rule = row.erasedAt && field !== 'id' ? undefined : fields[field]
    const { error } = (value !== null && rule?.safeParse(value)) || {}
    if (!error && !hasUnfitText(value)) continue
    isUnfit = true
    yield error ? `${[field, ...(error.issues[0]?.path ?? [])].join('.')}: ${error.issues[0]?.message}` : `${field} has control characters`
  }
  if (!isUnfit) for (const { path, message } of rules.together[table]?.(row) ?? []) yield `${path.join('.')}: ${message}`
}
