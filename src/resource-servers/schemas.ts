import { z } from 'zod'
import { ClaimMappingRecord, claimMappings, claimTargetsOfResourceServers } from '../claims/schemas.ts'
import { signingAlgorithm } from '../clients/schemas.ts'
import { id, issueOf, name, plainText, recordId, timestamp } from '../platform/http/fields.ts'
import { signingAlgorithms } from '../tokens/rules.ts'
import { scopeNamedTwice, scopeOfOpenid, scopeSyntax } from './refusals.ts'
import { resourceScopeMistake } from './rules.ts'

const scopesMax = 100
const clientsMax = 100
const identifierLengthMax = 512
const lifetimeMax = 30 * 86_400

const mistakesOfScopes = { 'scope-syntax': scopeSyntax([]), 'scope-of-openid': scopeOfOpenid([]) }

const scope = z.object({
  name: plainText()
    .min(1)
    .max(255)
    .superRefine((value, context) => {
      const mistake = resourceScopeMistake(value)
      if (mistake) context.addIssue(issueOf(mistakesOfScopes[mistake]))
    })
    .meta({ description: 'What clients ask for; the same name at another resource server is another scope', example: 'orders:read' }),
  description: plainText()
    .trim()
    .max(255)
    .nullable()
    .default(null)
    .meta({ description: 'What it allows, as the consent page says it', example: 'Read your orders' }),
})

const signingDescribed =
  'What signs access tokens; a token for several is signed by RS256 if one needs it. `Ed25519` is another name of `EdDSA`'

const clientIds = () => z.array(id()).max(clientsMax)

const fields = {
  name: name().meta({ description: 'What administrators and the consent page call it', example: 'Orders API' }),
  scopes: z
    .array(scope)
    .max(scopesMax)
    .superRefine((scopes, context) => {
      const names = scopes.map((one) => one.name)
      for (const [index, named] of names.entries()) {
        if (names.indexOf(named) < index) context.addIssue({ ...issueOf(scopeNamedTwice([])), path: [index, 'name'] })
      }
    })
    .meta({ description: 'What clients can be allowed there' }),
  accessTokenLifetime: z
    .number()
    .int()
    .min(1)
    .max(lifetimeMax)
    .nullable()
    .meta({ description: 'Seconds; null follows the client. A token for several lives as long as the shortest', example: 600 }),
  accessTokenSigningAlg: signingAlgorithm().meta({ description: signingDescribed, example: 'EdDSA' }),
  allowsAutomaticClients: z.boolean().meta({
    description: 'Whether clients that no administrator has registered may ask for it. Needs an extension that registers them',
    example: false,
  }),
  requireDpop: z.boolean().meta({ description: 'Whether its tokens must be bound to a key. Needs the extension `dpop`', example: false }),
  includeAuthenticationContext: z
    .boolean()
    .meta({ description: 'Whether its tokens always say how and when the user signed in: `acr`, `amr`, `auth_time`', example: false }),
  introspectionClientIds: clientIds().meta({
    description: 'Confidential clients that may introspect its tokens, besides the client that a token was issued to',
    example: ['cli_01kahm3z9n4v7f2t8q6w5r1y0x'],
  }),
  exchangeClientIds: clientIds().meta({
    description: 'Clients that may exchange tokens for it. Needs the extension `token_exchange`',
    example: [],
  }),
  claimMappings: claimMappings(claimTargetsOfResourceServers).meta({
    description: 'Claims that its access tokens and their introspection have besides. They win over those of the client',
  }),
  isActive: z.boolean().meta({
    description: 'Whether tokens are issued for it and accepted. Tokens from before it was switched off stay unaccepted',
    example: true,
  }),
}

const identifier = plainText().min(1).max(identifierLengthMax).meta({
  description:
    'The absolute https URI by which clients ask for it and tokens name it (RFC 8707); unique in the installation, compared as a string. Immutable',
  example: 'https://api.acme.test/orders',
})

export const NewResourceServer = z
  .object({
    name: fields.name,
    identifier,
    scopes: fields.scopes.default([]),
    accessTokenLifetime: fields.accessTokenLifetime.default(null),
    accessTokenSigningAlg: fields.accessTokenSigningAlg
      .default('EdDSA')
      // The description of the API shows no default of what is transformed.
      .meta({ description: `${signingDescribed} (default: \`"EdDSA"\`)`, example: 'EdDSA' }),
    allowsAutomaticClients: fields.allowsAutomaticClients.default(false),
    requireDpop: fields.requireDpop.default(false),
    includeAuthenticationContext: fields.includeAuthenticationContext.default(false),
    introspectionClientIds: fields.introspectionClientIds.default([]),
    exchangeClientIds: fields.exchangeClientIds.default([]),
    claimMappings: fields.claimMappings.default([]),
    isActive: fields.isActive.default(true),
  })
  .meta({ component: 'NewResourceServer' })
export type NewResourceServer = z.infer<typeof NewResourceServer>

export const ResourceServerChanges = z.object(fields).partial().meta({ component: 'ResourceServerChanges' })
export type ResourceServerChanges = z.infer<typeof ResourceServerChanges>

export const ResourceServerRecord = z
  .object({
    id: recordId('rsv'),
    name: z.string().meta({ description: 'What administrators and the consent page call it', example: 'Orders API' }),
    identifier: z.string().meta({
      description: 'The URI by which clients ask for it and tokens name it, with scheme and host in lower case',
      example: 'https://api.acme.test/orders',
    }),
    scopes: z
      .array(
        z.object({
          name: z.string().meta({ description: 'What clients ask for', example: 'orders:read' }),
          description: z.string().nullable().meta({ description: 'What it allows', example: 'Read your orders' }),
        }),
      )
      .meta({ description: 'What clients can be allowed there' }),
    accessTokenLifetime: z.number().int().nullable().meta({ description: 'Seconds; null follows the client', example: 600 }),
    accessTokenSigningAlg: z.enum(signingAlgorithms).meta({ description: 'What signs access tokens for it', example: 'EdDSA' }),
    allowsAutomaticClients: fields.allowsAutomaticClients,
    requireDpop: fields.requireDpop,
    includeAuthenticationContext: fields.includeAuthenticationContext,
    introspectionClientIds: z
      .array(z.string())
      .meta({ description: 'Clients that may introspect its tokens', example: ['cli_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
    exchangeClientIds: z.array(z.string()).meta({ description: 'Clients that may exchange tokens for it', example: [] }),
    claimMappings: z.array(ClaimMappingRecord).meta({ description: 'Claims that its access tokens and their introspection have besides' }),
    isActive: fields.isActive,
    createdAt: timestamp('When it was registered'),
    updatedAt: timestamp('When it was last changed'),
  })
  .meta({ component: 'ResourceServer' })
export type ResourceServerRecord = z.infer<typeof ResourceServerRecord>

export const McpServerAddress = z.object({ identifier }).meta({ component: 'McpServerAddress' })

const McpServerFinding = z.object({
  code: z
    .enum(['refuses-without-token', 'names-its-metadata', 'publishes-its-metadata', 'names-itself', 'names-this-issuer'])
    .meta({ description: 'What was checked', example: 'names-itself' }),
  outcome: z
    .enum(['met', 'unmet', 'not-checked'])
    .meta({ description: '`not-checked` where an earlier answer is missing', example: 'unmet' }),
  expected: z.string().meta({ description: 'What the server has to answer', example: 'https://mcp.acme.test/notes' }),
  received: z.string().nullable().meta({ description: 'What it answered, or why it did not', example: 'https://mcp.acme.test/' }),
})
export type McpServerFinding = z.infer<typeof McpServerFinding>

/** What an MCP server answers to those who have no token. */
export const McpServerCheck = z
  .object({
    identifier: z.string().meta({ description: 'The address, as it would be registered', example: 'https://mcp.acme.test/notes' }),
    metadataUrl: z.string().meta({
      description: 'Where its document was asked for: at the address that it names, else where the document has to be',
      example: 'https://mcp.acme.test/.well-known/oauth-protected-resource/notes',
    }),
    checks: z.array(McpServerFinding).meta({ description: 'Each check, in the order in which clients come to it' }),
    name: z.string().nullable().meta({ description: 'What it calls itself', example: 'Notes' }),
    scopes: z.array(z.string()).meta({ description: 'The scopes that it names', example: ['notes:read'] }),
    requireDpop: z.boolean().meta({ description: 'Whether it says that it takes tokens alone that are bound to a key', example: false }),
  })
  .meta({ component: 'McpServerCheck' })
export type McpServerCheck = z.infer<typeof McpServerCheck>

/** What the resource server itself has to serve: OAuth 2.0 Protected Resource Metadata (RFC 9728). */
export const ResourceMetadata = z
  .object({
    url: z.string().meta({
      description: 'Where the resource server has to serve the document',
      example: 'https://api.acme.test/.well-known/oauth-protected-resource/orders',
    }),
    document: z
      .object({
        resource: z.string().meta({ description: 'Its identifier', example: 'https://api.acme.test/orders' }),
        resource_name: z.string().meta({ description: 'Its name', example: 'Orders API' }),
        authorization_servers: z.array(z.string()).meta({ description: 'The issuer of its tokens', example: ['https://id.example.com'] }),
        scopes_supported: z.array(z.string()).meta({ description: 'Its scopes', example: ['orders:read'] }),
        bearer_methods_supported: z.array(z.string()).meta({ description: 'How it takes tokens', example: ['header'] }),
        dpop_bound_access_tokens_required: z.boolean().optional().meta({ description: 'Whether tokens must be bound to a key' }),
        dpop_signing_alg_values_supported: z
          .array(z.string())
          .optional()
          .meta({ description: 'What may sign the proofs of the key', example: ['ES256'] }),
      })
      .meta({ description: 'The document, as application/json' }),
    wwwAuthenticate: z.string().meta({
      description:
        'The header WWW-Authenticate of its responses with status 401, which leads clients to the document; of the scheme `DPoP` if its tokens must be bound to a key',
      example: 'Bearer resource_metadata="https://api.acme.test/.well-known/oauth-protected-resource/orders"',
    }),
  })
  .meta({ component: 'ResourceMetadata' })
export type ResourceMetadata = z.infer<typeof ResourceMetadata>
