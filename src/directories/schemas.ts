import { z } from 'zod'
import { dateTime, id, isSecret, issueOf, limit, name, pathId, plainText, recordId, timestamp } from '../platform/http/fields.ts'
import { cursorField, recordPageOf } from '../platform/http/lists.ts'
import { groupMappedTwice, oneGroupName } from './refusals.ts'

const mappingsMax = 200
const namedMax = 50
const week = 7 * 24 * 3_600

const namesOfGroup = {
  displayName: plainText()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'What the group is called there, in any case', example: 'Support' }),
  externalId: plainText()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The id by which the directory knows it', example: '9f2f4f3e-8f0e-4c53-9f7e-0a8f7a1c2b3d' }),
}
type NamesOfGroup = { [Name in keyof typeof namesOfGroup]?: string | undefined }

/** The group of a mapping. @param object how its names become an object */
export const mappedGroup = (object: typeof z.object | typeof z.strictObject) =>
  object(namesOfGroup)
    .superRefine(({ displayName, externalId }: NamesOfGroup, context) => {
      if ((displayName === undefined) === (externalId === undefined)) context.addIssue({ ...issueOf(oneGroupName([])), path: [] })
    })
    .meta({ description: 'The group, by exactly one of its names', example: { displayName: 'Support' } })

const GroupMapping = z.object({
  group: mappedGroup(z.object),
  roleIds: z
    .array(id())
    .max(namedMax)
    .default([])
    .meta({ description: 'Ids of the roles that its members get; never the owner role', example: ['rol_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
  teamIds: z
    .array(id())
    .max(namedMax)
    .default([])
    .meta({ description: 'Ids of the teams that its members join', example: ['tem_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
})
export type SentGroupMapping = z.infer<typeof GroupMapping>

/** Texts by which two mappings name one group. */
const nameOfGroup = ({ group: { displayName, externalId } }: { group: NamesOfGroup }) =>
  displayName === undefined ? `externalId ${externalId}` : `displayName ${displayName.toLowerCase()}`

/** Mappings of which no two name one group. */
export const mappingsOf = <Mapping extends z.ZodType<{ group: NamesOfGroup }>>(mapping: Mapping) =>
  z
    .array(mapping)
    .max(mappingsMax)
    .superRefine((mappings, context) => {
      const names = mappings.map(nameOfGroup)
      for (const [index, named] of names.entries()) {
        if (names.indexOf(named) < index) context.addIssue({ ...issueOf(groupMappedTwice([])), path: [index, 'group'] })
      }
    })

const fields = {
  name: name().meta({ description: 'What administrators call it; unique in the organisation', example: 'Entra ID' }),
  isActive: z.boolean().meta({ description: 'Whether its requests are accepted', example: true }),
  connectionId: id().nullable().meta({
    description: 'With `userMatch` `externalId`, the connection that knows its users by their `externalId`',
    example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
  userMatch: z.enum(['email', 'externalId']).meta({
    description:
      '`externalId`: a user whom it manages is linked to the account of `connectionId` with this id, so that the first sign-in finds them',
    example: 'email',
  }),
  emailChanges: z.enum(['verified_domains', 'refuse']).meta({
    description: 'Whether it may change the address of a user to another one of a verified domain',
    example: 'verified_domains',
  }),
  deletes: z.enum(['block', 'delete']).meta({
    description: 'What becomes of a user whom it deletes: blocked, and found again when they are sent once more, or deleted',
    example: 'block',
  }),
  groups: z.enum(['teams', 'mappings_only']).meta({
    description: '`teams`: each of its groups is a team. `mappings_only`: only what `groupMappings` name follows',
    example: 'teams',
  }),
  groupMappings: mappingsOf(GroupMapping).meta({ description: 'Roles and teams of the members of groups' }),
}

export const NewDirectory = z
  .object({
    name: fields.name,
    isActive: fields.isActive.default(true),
    connectionId: fields.connectionId.default(null),
    userMatch: fields.userMatch.default('email'),
    emailChanges: fields.emailChanges.default('verified_domains'),
    deletes: fields.deletes.default('block'),
    groups: fields.groups.default('teams'),
    groupMappings: fields.groupMappings.default([]),
  })
  .meta({ component: 'NewDirectory' })
export type NewDirectory = z.infer<typeof NewDirectory>

export const DirectoryChanges = z.object(fields).partial().meta({ component: 'DirectoryChanges' })
export type DirectoryChanges = z.infer<typeof DirectoryChanges>

/** Mappings of which the consequences are asked. */
export const AskedMappings = z
  .object({ groupMappings: fields.groupMappings, groups: fields.groups })
  .partial()
  .meta({ component: 'AskedMappings' })
export type AskedMappings = z.infer<typeof AskedMappings>

const numberOfUsers = (what: string) =>
  z
    .number()
    .int()
    .meta({ description: `How many users would ${what} it`, example: 12 })
const impactOf = (prefix: 'rol' | 'tem') =>
  z.array(z.object({ id: recordId(prefix), gains: numberOfUsers('gain'), losses: numberOfUsers('lose') }))

export const MappingsImpact = z
  .object({
    roles: impactOf('rol').meta({ description: 'The roles that users would gain or lose' }),
    teams: impactOf('tem').meta({
      description: 'The teams that users would join or leave; teams that would be created are not among them',
    }),
  })
  .meta({ component: 'MappingsImpact' })
export type MappingsImpact = z.infer<typeof MappingsImpact>

const token = z.object({
  id: recordId('dtk'),
  prefix: z.string().meta({ description: 'How the token begins, to tell tokens apart', example: 'scim_Zb3kQ9xW' }),
  expiresAt: timestamp().nullable().meta({ description: 'When it stops working; null never' }),
  lastUsedAt: timestamp().nullable().meta({ description: 'To the minute; null before the first use' }),
  createdAt: timestamp('When it was created'),
})
export const DirectoryToken = token.meta({ component: 'DirectoryToken' })
export type DirectoryToken = z.infer<typeof DirectoryToken>

export const NewDirectoryToken = z
  .object({
    expiresAt: dateTime()
      .nullable()
      .default(null)
      .meta({ description: 'When the token stops working; null never', example: '2027-01-31T00:00:00.000Z' }),
    gracePeriodSeconds: z
      .number()
      .int()
      .min(0)
      .max(week)
      .optional()
      .meta({ description: 'After how many seconds the former tokens stop working; without it they stay as they are', example: 86_400 }),
  })
  .meta({ component: 'NewDirectoryToken' })
export type NewDirectoryToken = z.infer<typeof NewDirectoryToken>

/** A token that was just created. The token itself is shown only here. */
export const DirectoryTokenWithSecret = token
  .extend({
    token: z.string().meta({
      ...isSecret,
      description: 'For `Authorization: Bearer`; shown this once',
      example: 'scim_Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
    }),
  })
  .meta({ component: 'DirectoryTokenWithSecret' })

export const TokenParameters = z.object({
  id: pathId().meta({ description: 'Id of the directory', example: 'dir_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  tokenId: pathId().meta({ description: 'Id of the token', example: 'dtk_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

const shownGroup = z.union([
  z.object({ displayName: z.string().meta({ description: 'What the group is called there', example: 'Support' }) }),
  z.object({
    externalId: z.string().meta({ description: 'The id by which the directory knows it', example: '9f2f4f3e-8f0e-4c53-9f7e-0a8f7a1c2b3d' }),
  }),
])

export const DirectoryRecord = z
  .object({
    id: recordId('dir'),
    name: fields.name,
    isActive: fields.isActive,
    connectionId: z.string().nullable().meta({
      description: 'With `userMatch` `externalId`, the connection that knows its users by their `externalId`',
      example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    baseUrl: z.string().meta({
      description: 'What the directory has to know as the address of SCIM',
      example: 'https://id.example.com/scim/v2/dir_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    tokens: z.array(DirectoryToken).meta({ description: 'The tokens, the oldest first; expired ones until another is created' }),
    userMatch: fields.userMatch,
    emailChanges: fields.emailChanges,
    deletes: fields.deletes,
    groups: fields.groups,
    groupMappings: z
      .array(
        z
          .object({
            group: shownGroup.meta({ description: 'The group, by exactly one of its names' }),
            roleIds: z
              .array(z.string())
              .meta({ description: 'The roles that its members get', example: ['rol_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
            teamIds: z
              .array(z.string())
              .meta({ description: 'The teams that its members join', example: ['tem_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
          })
          .meta({ component: 'GroupMapping' }),
      )
      .meta({ description: 'Roles and teams of the members of groups' }),
    counts: z
      .object({
        users: z.number().int().meta({ description: 'Users whom it manages', example: 32 }),
        groups: z.number().int().meta({ description: 'Groups that it has sent', example: 4 }),
      })
      .meta({ description: 'What it manages' }),
    lastRequestAt: timestamp().nullable().meta({ description: 'When its last request arrived; null before the first' }),
    status: z
      .object({
        state: z
          .enum(['ok', 'failing'])
          .meta({ description: '`failing` once 20 requests in a row were refused, or none has come for seven days' }),
        since: timestamp().nullable().meta({ description: 'Since when it has been failing; null while it is not' }),
        error: z
          .string()
          .nullable()
          .meta({ description: 'Why the last request was refused; null when none was', example: 'userName is required' }),
        reason: z
          .object({
            code: z.string().meta({ description: 'A stable word for it', example: 'required' }),
            expected: z
              .string()
              .nullable()
              .meta({ description: 'What is taken, such as a limit or the name of what is missing', example: 'userName' }),
            received: z.string().nullable().meta({ description: 'The name of what was sent, never its value', example: null }),
          })
          .nullable()
          .meta({ description: 'The same by a code, for other languages; null where there is none' }),
      })
      .meta({ description: 'Whether it works' }),
    createdAt: timestamp('When it was created'),
    updatedAt: timestamp('When it was last changed'),
  })
  .meta({ component: 'Directory' })
export type DirectoryRecord = z.infer<typeof DirectoryRecord>

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const RequestsQuery = z.object({
  outcome: z
    .enum(['accepted', 'refused'])
    .optional()
    .meta({ description: 'Only requests that were accepted, or refused: status 400 and above' }),
  method: z.enum(methods).optional().meta({ description: 'Only requests by this method' }),
  since: dateTime().optional().meta({ description: 'Only requests from this time on', example: '2026-01-31T00:00:00.000Z' }),
  limit: limit(200).default(50).meta({ description: 'Most records to return', example: 50 }),
  cursor: cursorField(),
})
export type RequestsQuery = z.infer<typeof RequestsQuery>

const masked = 'its values masked: only the structure and names of attributes stay'

export const DirectoryRequestRecord = z
  .object({
    id: recordId('drq'),
    method: z.string().meta({ description: 'The method', example: 'GET' }),
    path: z.string().meta({ description: 'What follows the base URL, without the query', example: '/Users' }),
    filter: z
      .string()
      .nullable()
      .meta({ description: `The filter, ${masked}`, example: 'userName eq "…"' }),
    status: z.number().int().meta({ description: 'Status of the response', example: 200 }),
    scimType: z.string().nullable().meta({ description: 'Why it was refused, in a word of SCIM', example: 'invalidFilter' }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'Why it was refused, in a sentence', example: 'Attribute not supported in a filter' }),
    requestBody: z
      .string()
      .nullable()
      .meta({ description: `The body of the request, ${masked}`, example: '{"active":false}' }),
    responseBody: z
      .string()
      .nullable()
      .meta({ description: `The body of the response, ${masked}`, example: '{"totalResults":0}' }),
    ipAddress: z.string().nullable().meta({ description: 'Where it came from', example: '203.0.113.7' }),
    userAgent: z.string().nullable().meta({ description: 'What sent it', example: 'Azure AD' }),
    requestId: z.string().nullable().meta({ description: 'The id of the request in the log of the service', example: 'req-1a2b3c' }),
    durationMilliseconds: z.number().int().meta({ description: 'How long it took', example: 12 }),
    createdAt: timestamp('When it arrived'),
  })
  .meta({ component: 'DirectoryRequest' })
export type DirectoryRequestRecord = z.infer<typeof DirectoryRequestRecord>

export const DirectoryRequestPage = recordPageOf(DirectoryRequestRecord)
