import { z } from 'zod'
import { documentedResponse } from '../platform/http/documented-response.ts'
import { id, isSecret, issueOf, plainText, recordId, timestamp } from '../platform/http/fields.ts'
import { ProblemDetails } from '../platform/http/problem-details.ts'
import { invalidDomain } from './refusals.ts'
import { readDomain } from './rules.ts'

const bypassUsersMax = 5

const domain = () =>
  plainText()
    .max(255)
    .transform((value, context) => {
      const domain = readDomain(value)
      if (domain !== undefined) return domain
      context.addIssue({ ...issueOf(invalidDomain([])), input: value })
      return z.NEVER
    })
    .meta({
      description: 'In ASCII, with `xn--`, or in its own letters: it is stored as the DNS has it. Nothing is cut off or corrected',
      example: 'example.com',
    })

const Sso = z.enum(['off', 'offered', 'required']).meta({
  description:
    'Whether users with an address of the domain are led to the connection, or can sign in only with it; while the domain is verified',
  example: 'offered',
})
const connection = { description: 'A connection of the organisation', example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x' }
const bypassUsers = <T extends z.ZodType<string>>(user: T) =>
  z.array(user).max(bypassUsersMax).meta({
    description: 'Users who may always sign in in other ways; each has a second factor. The owner always may',
    example: [],
  })

export const NewDomain = z
  .object({ domain: domain(), connectionId: id().optional().meta(connection), sso: Sso.default('off') })
  .meta({ component: 'NewDomain' })
export type NewDomain = z.infer<typeof NewDomain>

export const DomainChanges = z
  .object({
    connectionId: id().nullable().optional().meta(connection),
    sso: Sso.optional(),
    bypassUserIds: bypassUsers(id()).optional(),
    endSessions: z
      .boolean()
      .optional()
      .meta({ description: 'With `sso` `required`: also ends sessions and tokens that did not begin with the connection', example: true }),
  })
  .meta({ component: 'DomainChanges' })
export type DomainChanges = z.infer<typeof DomainChanges>

const Challenge = z
  .object({
    type: z.literal('TXT').meta({ description: 'Kind of the record', example: 'TXT' }),
    name: z.string().meta({ description: 'Name of the record', example: '_gatehouse.example.com' }),
    value: z.string().meta({
      description: 'Text of the record',
      example: 'gatehouse-domain=Zk3vQ0pXo4Hf8yT1sJm6uWcB9nLrEaD2gKiVxNqPzYA',
    }),
  })
  .meta({ component: 'DomainChallenge' })

export const DomainRecord = z
  .object({
    id: recordId('dom'),
    domain: z.string().meta({ description: 'The domain as the DNS has it', example: 'xn--bcher-kva.example' }),
    unicodeDomain: z.string().meta({ description: 'The same in its own letters', example: 'bücher.example' }),
    status: z.enum(['pending', 'verified', 'lapsed']).meta({
      description: 'Whether the domain is verified; `lapsed` if the record has been missing for seven days',
      example: 'verified',
    }),
    challenge: Challenge.meta({ description: 'The record that verifies the domain' }),
    connectionId: z.string().nullable().meta({ description: 'The connection of its users', example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    sso: Sso,
    bypassUserIds: bypassUsers(z.string()),
    verifiedAt: timestamp().nullable().meta({ description: 'When the domain was last verified again' }),
    checkedAt: timestamp().nullable().meta({ description: 'When the record was last looked for' }),
    failingSince: timestamp().nullable().meta({ description: 'Since when it has been missing' }),
    foreignAccounts: z.number().int().nullable().meta({
      description:
        'While the domain is verified: how many accounts with an address of it other organisations have, counted up to 10,000. They stay as they are',
      example: 0,
    }),
    createdAt: timestamp('When the domain was added'),
    updatedAt: timestamp('When the domain was last changed'),
  })
  .meta({ component: 'Domain' })
export type DomainRecord = z.infer<typeof DomainRecord>

/** An account of another organisation, for the operator. */
export const ForeignAccount = z
  .object({
    id: recordId('usr'),
    email: z.string().meta({ description: 'E-mail address', example: 'carol@example.com' }),
    organisationId: z.string().meta({ description: 'The organisation of the account', example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    organisationName: z.string().meta({ description: 'Its name', example: 'Globex' }),
    createdAt: timestamp('When the account was created'),
    deletedAt: timestamp().nullable().meta({ description: 'When it was deleted; until it is erased it keeps its address' }),
  })
  .meta({ component: 'ForeignAccount' })
export type ForeignAccount = z.infer<typeof ForeignAccount>

const Missing = ProblemDetails.extend({
  answers: z
    .array(
      z.object({
        status: z
          .string()
          .meta({ description: 'How the name server answered: `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `TIMEOUT` …', example: 'NOERROR' }),
        records: z.array(z.string()).meta({ description: 'The texts that it has for this name', example: ['gatehouse-domain=another'] }),
      }),
    )
    .optional()
    .meta({ description: 'The DNS responses, a member for each name server' }),
})

/** The fields that the error handler adds. */
export const MissingRecord = {
  400: documentedResponse('The record was not found', { 'application/problem+json': Missing }),
}

/** The only connection through which users of a domain sign in. */
export const RequiredConnection = z
  .object({
    id: recordId('con'),
    startUrl: z.string().meta({
      description: 'Where a browser starts to sign in',
      example: 'https://id.example.com/federation/con_01kahm3z9n4v7f2t8q6w5r1y0x/start',
    }),
  })
  .meta({ description: 'The one that the domain of the address requires' })

const RefusedForSso = ProblemDetails.extend({ connection: RequiredConnection.optional() })

/** The fields that the error handler adds. */
export const requiredConnectionOrCode = {
  403: documentedResponse('Only with a connection', {
    'application/problem+json': RefusedForSso.extend({
      flowToken: z
        .string()
        .optional()
        .meta({
          ...isSecret,
          description: 'For the code that the owner and `bypassUserIds` get by mail',
          example: '3f1c9a2e.Wd4bW1o0bUZ5c3Rl',
        }),
    }),
  }),
}

/** The fields that the error handler adds. */
export const requiredConnection = {
  403: documentedResponse('Only with a connection', {
    'application/problem+json': RefusedForSso,
  }),
}
