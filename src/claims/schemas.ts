import { z } from 'zod'
import type { ClaimTarget } from '../platform/database/column-types.ts'
import { issueOf, name, plainText, storable } from '../platform/http/fields.ts'
import { parsePointer } from './pointers.ts'
import { claimNamedTwice, claimPointerUnknown, claimReserved } from './refusals.ts'
import { reservedNames } from './reserved-names.ts'

const mappingsMax = 20
const valueBytesMax = 4 * 1024
const mappingsBytesMax = 32 * 1024
const conversions = ['string', 'number', 'boolean', 'array', 'first', 'join', 'lowercase'] as const

export const claimTargets = ['id_token', 'access_token', 'userinfo', 'introspection'] as const satisfies readonly ClaimTarget[]
/** What a resource server sees. ID tokens and UserInfo are for the client. */
export const claimTargetsOfResourceServers = ['access_token', 'introspection'] as const satisfies readonly ClaimTarget[]

const value = (description: string, example: unknown) => storable(z.unknown(), valueBytesMax).meta({ description, example })

const pointer = plainText()
  .max(512)
  .superRefine((text, context) => {
    if (parsePointer(text) === undefined) context.addIssue(issueOf(claimPointerUnknown([])))
  })

const claimMapping = <const Targets extends readonly [ClaimTarget, ...ClaimTarget[]]>(targets: Targets) =>
  z.object({
    name: name()
      .superRefine((named, context) => {
        if (reservedNames.has(named)) context.addIssue(issueOf(claimReserved([], named)))
      })
      .meta({ description: 'The claim. Names that tokens and OpenID Connect define are reserved', example: 'department' }),
    in: z
      .array(z.enum(targets))
      .min(1)
      .max(10)
      .transform((list) => [...new Set(list)])
      .meta({ description: 'Which tokens and responses have it', example: ['access_token'] }),
    from: z
      .union([pointer, z.strictObject({ value: value('The value itself', 'emea') })], {
        error: ({ input }) => (typeof input === 'string' ? undefined : claimPointerUnknown([]).message),
      })
      .meta({
        description:
          'A JSON pointer (RFC 6901): `/user/metadata/…`, `/user/teams` and `/user/roles` (slugs), `/organisation/metadata/…`, `/organisation/slug`, `/identity/<claim>` of the identity provider that the session came by, or `/session/acr`; or the value itself as `{"value": …}`. What is about the user needs the permission `users:read`',
        example: '/user/metadata/department',
      }),
    as: z.enum(conversions).optional().meta({
      description:
        'The form of the value. `first` takes the first of a list, `join` puts commas between its entries. A value that cannot be read so is missing',
      example: 'string',
    }),
    scope: plainText()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Only where this scope is granted; without it always', example: 'profile' }),
    default: value('Stands in for a value that is missing or null', 'none').optional(),
  })

/** Claims that a client or a resource server adds to tokens. */
export const claimMappings = <const Targets extends readonly [ClaimTarget, ...ClaimTarget[]]>(targets: Targets) =>
  storable(
    z
      .array(claimMapping(targets))
      .max(mappingsMax)
      .superRefine((mappings, context) => {
        const names = mappings.map(({ name }) => name)
        for (const [index, name] of names.entries()) {
          if (names.indexOf(name) < index) context.addIssue({ ...issueOf(claimNamedTwice([])), path: [index, 'name'] })
        }
      }),
    mappingsBytesMax,
  )

/** The same as a response shows it. */
export const ClaimMappingRecord = z.object({
  name: z.string().meta({ description: 'The claim', example: 'department' }),
  in: z.array(z.enum(claimTargets)).meta({ description: 'Which tokens and responses have it', example: ['access_token'] }),
  from: z.unknown().meta({ description: 'A JSON pointer, or the value itself as `{"value": …}`', example: '/user/metadata/department' }),
  as: z.enum(conversions).optional().meta({ description: 'The form of the value', example: 'string' }),
  scope: z.string().optional().meta({ description: 'The scope that has to be granted', example: 'profile' }),
  default: z.unknown().optional().meta({ description: 'Stands in for a value that is missing', example: 'none' }),
})
