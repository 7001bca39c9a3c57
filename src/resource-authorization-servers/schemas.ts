import { z } from 'zod'
import { assuranceLevels } from '../access/factors.ts'
import { scopeMistake } from '../clients/rules.ts'
import { id, ids, issueOf, name, plainText, recordId, timestamp } from '../platform/http/fields.ts'
import { resourceIdentifierOf } from '../tokens/rules.ts'
import { identifierNotAbsolute, resourceNamedTwice, scopeSyntax } from './refusals.ts'

const resourcesMax = 100
const scopesMax = 100
const grantsMax = 200
const identifierLengthMax = 512
const lifetimeMax = 300

const scopes = () =>
  z
    .array(
      plainText()
        .min(1)
        .max(255)
        .superRefine((value, context) => {
          if (scopeMistake(value) === 'scope-syntax') context.addIssue(issueOf(scopeSyntax([])))
        }),
    )
    .max(scopesMax)
    .overwrite((values) => [...new Set(values)])

/** A resource of another company is compared as one of ours is. */
const identifier = () =>
  plainText()
    .min(1)
    .max(identifierLengthMax)
    .superRefine((value, context) => {
      if (resourceIdentifierOf(value) === undefined) context.addIssue(issueOf(identifierNotAbsolute([])))
    })
    .overwrite((value) => resourceIdentifierOf(value) ?? value)

const resource = z.object({
  identifier: identifier().meta({ description: 'The absolute URI of an API there', example: 'https://api.books.test/mcp' }),
  scopes: scopes().meta({ description: 'What can be allowed there', example: ['books:read'] }),
})

const grant = z.object({
  clientId: id().meta({ description: 'The confidential client that may act', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  downstreamClientId: plainText().min(1).max(2_048).nullable().default(null).meta({
    description: 'What the other authorization server calls that client; null for a client that the address of its document names',
    example: 'acme-editor',
  }),
  resources: z
    .array(identifier())
    .min(1)
    .max(resourcesMax)
    .meta({
      description: 'Identifiers among the resources',
      example: ['https://api.books.test/mcp'],
    }),
  scopes: scopes().meta({ description: 'Scopes of these resources', example: ['books:read'] }),
  roleIds: ids()
    .default([])
    .meta({ description: 'For users who have one of these roles', example: ['rol_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
  teamIds: ids().default([]).meta({ description: 'For users of one of these teams. Without roles and teams: for every user', example: [] }),
})

const fields = {
  name: name().meta({ description: 'What administrators call it', example: 'Books' }),
  audienceClientId: id().meta({
    description: 'Our client by which that company signs our users in: it knows users by the `sub` of that client',
    example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
  resources: z
    .array(resource)
    .max(resourcesMax)
    .superRefine((resources, context) => {
      const names = resources.map((one) => one.identifier)
      for (const [index, named] of names.entries()) {
        if (names.indexOf(named) < index) context.addIssue({ ...issueOf(resourceNamedTwice([])), path: [index, 'identifier'] })
      }
    })
    .meta({ description: 'The APIs there that our clients may reach' }),
  grants: z.array(grant).max(grantsMax).meta({ description: 'Which client may do what there, and for whom' }),
  requiredAcr: z.enum(assuranceLevels).nullable().meta({
    description: 'The level that the sign-in of the user must have reached; null for any. `phr` and `phrh` need the extension `step_up`',
    example: 'aal2',
  }),
  lifetimeSeconds: z.number().int().min(1).max(lifetimeMax).meta({ description: 'How long an assertion is valid', example: 300 }),
  includesEmail: z.boolean().meta({ description: "Whether assertions tell the user's address", example: false }),
  isActive: z.boolean().meta({ description: 'Whether assertions are issued for it', example: true }),
}

const issuer = plainText().min(1).max(identifierLengthMax).meta({
  description: 'The issuer of the other authorization server, exactly as its metadata name it; https only. Immutable',
  example: 'https://login.books.test',
})

export const NewResourceAuthorizationServer = z
  .object({
    name: fields.name,
    issuer,
    audienceClientId: fields.audienceClientId,
    resources: fields.resources.default([]),
    grants: fields.grants.default([]),
    requiredAcr: fields.requiredAcr.default(null),
    lifetimeSeconds: fields.lifetimeSeconds.default(lifetimeMax),
    includesEmail: fields.includesEmail.default(false),
    isActive: fields.isActive.default(true),
  })
  .meta({ component: 'NewResourceAuthorizationServer' })
export type NewResourceAuthorizationServer = z.infer<typeof NewResourceAuthorizationServer>

export const ResourceAuthorizationServerChanges = z.object(fields).partial().meta({ component: 'ResourceAuthorizationServerChanges' })
export type ResourceAuthorizationServerChanges = z.infer<typeof ResourceAuthorizationServerChanges>

const shownScopes = (description: string) => z.array(z.string()).meta({ description, example: ['books:read'] })

export const ResourceAuthorizationServerRecord = z
  .object({
    id: recordId('ras'),
    name: z.string().meta({ description: 'What administrators call it', example: 'Books' }),
    issuer: z.string().meta({ description: 'The issuer of the other authorization server', example: 'https://login.books.test' }),
    audienceClientId: z.string().meta({
      description: 'Our client by which that company signs our users in',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    resources: z
      .array(
        z.object({
          identifier: z.string().meta({ description: 'The URI of an API there', example: 'https://api.books.test/mcp' }),
          scopes: shownScopes('What can be allowed there'),
        }),
      )
      .meta({ description: 'The APIs there that our clients may reach' }),
    grants: z
      .array(
        z.object({
          clientId: z.string().meta({ description: 'The client that may act', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
          downstreamClientId: z.string().nullable().meta({ description: 'What the client is called there', example: 'acme-editor' }),
          resources: z.array(z.string()).meta({ description: 'Where it may act', example: ['https://api.books.test/mcp'] }),
          scopes: shownScopes('What it may do'),
          roleIds: z.array(z.string()).meta({ description: 'Roles of the users', example: ['rol_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
          teamIds: z.array(z.string()).meta({ description: 'Teams of the users', example: [] }),
        }),
      )
      .meta({ description: 'Which client may do what there, and for whom' }),
    requiredAcr: fields.requiredAcr,
    lifetimeSeconds: fields.lifetimeSeconds,
    includesEmail: fields.includesEmail,
    isActive: fields.isActive,
    createdAt: timestamp('When it was registered'),
    updatedAt: timestamp('When it was last changed'),
  })
  .meta({ component: 'ResourceAuthorizationServer' })
export type ResourceAuthorizationServerRecord = z.infer<typeof ResourceAuthorizationServerRecord>
