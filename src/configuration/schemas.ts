import { z } from 'zod'
import type { GrantRules } from '../clients/rules.ts'
import { clientSchemas } from '../clients/schemas.ts'
import { ConnectionChanges, NewConnection } from '../connections/schemas.ts'
import { DirectoryChanges, mappedGroup, mappingsOf } from '../directories/schemas.ts'
import { OrganisationChanges } from '../organisations/schemas.ts'
import { ids, issueOf, matching, name, plainText, slug } from '../platform/http/fields.ts'
import { invalidSlug } from '../platform/http/refusals.ts'
import { NewResourceAuthorizationServer, ResourceAuthorizationServerChanges } from '../resource-authorization-servers/schemas.ts'
import { NewResourceServer, ResourceServerChanges } from '../resource-servers/schemas.ts'
import { RoleChanges } from '../roles/schemas.ts'
import { TeamChanges } from '../teams/schemas.ts'
import { NewWebhook, WebhookChanges } from '../webhooks/endpoints/schemas.ts'
import { tokenNotInDocument } from './refusals.ts'

/** Of any number of objects: an export has all that an organisation has. How many are changed at once, a plan says. */
const byKey = <Schema extends z.ZodType>(schema: Schema) => z.record(slug(), schema)

/** A reference to a secret in a written document: the environment variable that holds it. */
const secretReference = z
  .string()
  .regex(
    /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/,
    `A secret is never in a document: name the variable of the environment that holds it, as \${NAME}`,
  )
  .meta({
    description: 'The variable of the environment that holds the secret; without it the secret stays as it is',
    example: `\${ACME_SECRET}`,
  })

const { claim, value } = ConnectionChanges.shape.roleMappings.unwrap().element.shape
const mappingsTo = <Name extends string>(object: Name) =>
  z.array(z.strictObject({ claim, value, [object]: slug() } as { claim: typeof claim; value: typeof value } & Record<Name, z.ZodString>))

const { connectionId: _connectionId, groupMappings: _groupMappings, ...directory } = DirectoryChanges.shape

const slugs = (most: number) => z.array(slug()).max(most).default([])
const groupMapping = z.strictObject({
  group: mappedGroup(z.strictObject),
  roles: slugs(50).meta({ description: 'Slugs of the roles that its members get', example: ['support'] }),
  teams: slugs(50).meta({ description: 'Slugs of the teams that its members join', example: ['europe'] }),
})

const { resourceServerIds: _resourceServerIds, ...acceptedAssertions } = NewConnection.shape.identityAssertions.unwrap().unwrap().shape
const assertionsOfDocuments = z
  .strictObject({
    ...acceptedAssertions,
    resourceServers: slugs(100).meta({ description: 'Keys of the resource servers that they may be for', example: ['orders'] }),
  })
  .nullable()
  .meta({ description: 'Assertions by which applications act for users (ID-JAG); null accepts none' })
const { audienceClientId: _audienceClientId, grants: _grants, ...otherServer } = ResourceAuthorizationServerChanges.shape
const {
  clientId: _clientId,
  roleIds: _roleIds,
  teamIds: _teamIds,
  ...grantThere
} = NewResourceAuthorizationServer.shape.grants.unwrap().element.shape
/**
 * A key, or the id of what has none in a document: a client that has registered itself, and what is stored although it is gone since. A grant
 * keeps the roles and teams that are gone, because without any it would be for every user.
 */
const keyOrId = (prefix: string) =>
  matching(plainText().min(1).max(255), new RegExp(`^(?:[a-z0-9]+(?:-[a-z0-9]+)*|${prefix}_[a-z0-9]+)$`), invalidSlug)
const keysOrIds = (prefix: string) => z.array(keyOrId(prefix)).max(100).default([])
const clientKey = (description: string) => keyOrId('cli').meta({ description, example: 'editor' })

const otherServerSchema = z.strictObject({
  ...otherServer,
  name: otherServer.name.unwrap(),
  issuer: NewResourceAuthorizationServer.shape.issuer,
  audienceClient: clientKey('Key of our client by which that company signs our users in'),
  grants: z
    .array(
      z.strictObject({
        ...grantThere,
        client: clientKey('Key of the confidential client that may act, or its id if it has registered itself'),
        roles: keysOrIds('rol').meta({ description: 'Slugs of roles: for users who have one of them', example: ['support'] }),
        teams: keysOrIds('tem').meta({ description: 'Slugs of teams: for users of one of them', example: ['europe'] }),
      }),
    )
    .max(200)
    .optional()
    .meta({ description: 'Which client may do what there, and for whom' }),
})

const directorySchema = z.strictObject({
  ...directory,
  name: directory.name.unwrap(),
  connection: slug()
    .nullable()
    .optional()
    .meta({ description: 'With `userMatch` `externalId`, the slug of the connection whose subjects are compared', example: 'workforce' }),
  groupMappings: mappingsOf(groupMapping).optional().meta({ description: 'Roles and teams, by their slugs, of the members of groups' }),
  tokens: z
    .unknown()
    .optional()
    .superRefine((tokens, context) => {
      if (tokens !== undefined) context.addIssue({ ...issueOf(tokenNotInDocument([])), path: [] })
    })
    .meta({ description: 'Never: a token is shown once, when it is created by the command, the API or the console' }),
})

/**
 * The schema of a configuration document, with the same fields as the routes.
 *
 * @param grants those that a client can be registered for
 * @param secrets whether the document names the variables that hold secrets, as it is written, or holds their values, as it is applied
 */
export function documentSchema(grants: readonly GrantRules[], secrets: 'references' | 'values') {
  const { endSessions: _, ...connection } = ConnectionChanges.shape
  const { ClientChanges, NewClient } = clientSchemas(grants)
  const { resourceServerIds: __, ...client } = ClientChanges.shape
  const { introspectionClientIds: ___, exchangeClientIds: ____, ...resourceServer } = ResourceServerChanges.shape
  return z.strictObject({
    $schema: z.string().optional().meta({ description: 'Address of the JSON Schema, for editors' }),
    organisation: slug()
      .optional()
      .meta({ description: 'Slug of the organisation that the document is of: no other takes it', example: 'acme' }),
    settings: z
      .strictObject(OrganisationChanges.shape)
      .optional()
      .meta({ description: 'Settings of the organisation; one that is not named stays as it is' }),
    roles: byKey(
      z.strictObject({
        name: RoleChanges.shape.name.unwrap(),
        description: RoleChanges.shape.description,
        isDefault: RoleChanges.shape.isDefault,
        permissions: ids()
          .optional()
          .meta({ description: 'Slugs of the permissions that the role holds', example: ['users:read'] }),
      }),
    )
      .optional()
      .meta({ description: 'Roles by their slugs' }),
    teams: byKey(z.strictObject({ name: TeamChanges.shape.name.unwrap(), description: TeamChanges.shape.description }))
      .optional()
      .meta({ description: 'Teams by their slugs, without their members' }),
    resourceServers: byKey(
      z.strictObject({ ...resourceServer, name: resourceServer.name.unwrap(), identifier: NewResourceServer.shape.identifier }),
    )
      .optional()
      .meta({ description: 'Resource servers, each by a key that stays the same when its name changes' }),
    clients: byKey(
      z.strictObject({
        ...client,
        name: client.name.unwrap(),
        clientType: NewClient.shape.clientType,
        resourceServers: z
          .array(slug())
          .max(1_000)
          .nullable()
          .optional()
          .meta({ description: 'Keys of the resource servers that it may ask tokens for', example: ['orders'] }),
      }),
    )
      .optional()
      .meta({ description: 'OAuth clients, each by a key that stays the same when its name changes' }),
    resourceAuthorizationServers: byKey(otherServerSchema).optional().meta({
      description: 'Authorization servers of other companies, each by a key that stays the same when its name changes',
    }),
    connections: byKey(
      z.strictObject({
        ...connection,
        name: connection.name.unwrap(),
        provider: NewConnection.shape.provider,
        configuration: z.strictObject(connection.configuration.unwrap().shape).optional(),
        mapping: z.strictObject(connection.mapping.unwrap().shape).optional(),
        roleMappings: mappingsTo('role').optional().meta({ description: 'Roles, by their slugs, by what a claim holds' }),
        teamMappings: mappingsTo('team').optional().meta({ description: 'Teams, by their slugs, by what a claim holds' }),
        identityAssertions: assertionsOfDocuments.optional(),
        secret: secrets === 'references' ? secretReference.optional() : connection.secret,
      }),
    )
      .optional()
      .meta({ description: 'Connections to identity providers by their slugs' }),
    directories: byKey(directorySchema).optional().meta({
      description:
        'Directories (SCIM), each by a key that stays the same when its name changes. A new one manages nothing until it has a token',
    }),
    webhooks: byKey(
      z.strictObject({
        ...WebhookChanges.shape,
        url: NewWebhook.shape.url,
        events: NewWebhook.shape.events,
        client: keyOrId('cli').nullable().optional().meta({
          description: 'Key of the client whose events alone are delivered, or its id if it has registered itself. Cannot be changed',
        }),
      }),
    )
      .optional()
      .meta({ description: 'Webhooks, each by a key that stays the same when its address changes' }),
    apiKeys: z
      .array(name())
      .optional()
      .meta({ description: 'Names of API keys that there are; others end with --prune. None is made', example: ['deployment'] }),
  })
}

export type ConfigurationDocument = z.infer<ReturnType<typeof documentSchema>>
