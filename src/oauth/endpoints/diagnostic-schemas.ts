import { z } from 'zod'
import { type ConnectionCheck, namesOfChecks } from '../../../shared/checks/names.ts'
import { type Phrase, phrases } from '../../../shared/checks/phrases.ts'
import { dateTime, limit, text, timestamp } from '../../platform/http/fields.ts'
import { cursorField, recordPageOf } from '../../platform/http/lists.ts'

const exampleCheck = {
  code: 'hosted_domain',
  name: 'hosted domain',
  expected: 'acme.test',
  received: 'nothing',
  phrases: { expected: null, received: { phrase: 'nothing', values: [] } },
  passed: false,
} as const

/** Programs decide by the phrase, and translate it. */
export const SaidPhrase = z
  .object({
    phrase: z.enum(Object.keys(phrases) as [Phrase, ...Phrase[]]).meta({ description: 'A stable word for it', example: 'nothing' }),
    values: z.array(z.string()).meta({ description: 'The values in it, in order', example: [] }),
  })
  .nullable()
  .meta({ component: 'SaidPhrase', description: 'The phrase of the service; null for a value from elsewhere' })

/** One stored check of an identity provider's response. */
export const CheckOfConnection = z.object({
  code: z
    .enum(Object.keys(namesOfChecks) as [ConnectionCheck, ...ConnectionCheck[]])
    .nullable()
    .meta({ description: 'A stable code of the check; null if an earlier release stored it', example: exampleCheck.code }),
  name: z.string().meta({ description: 'What was checked', example: exampleCheck.name }),
  expected: z.string().meta({ description: 'What was expected', example: exampleCheck.expected }),
  received: z.string().meta({ description: 'What came', example: exampleCheck.received }),
  phrases: z
    .object({ expected: SaidPhrase, received: SaidPhrase })
    .meta({ description: 'Which of the two are phrases of the service', example: exampleCheck.phrases }),
  passed: z.boolean().meta({ description: 'Whether it was right', example: exampleCheck.passed }),
})

export const Diagnostic = z
  .object({
    reference: z.string().meta({ description: 'As the refusal named it', example: '7k3m-q9td-x2vb' }),
    clientId: z.string().nullable().meta({
      description: 'The client that sent the request; null if it named no known one',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    clientName: z.string().nullable().meta({ description: 'The name of the client now', example: 'Acme Portal' }),
    endpoint: z.string().meta({ description: 'The endpoint that refused', example: 'authorize' }),
    error: z.string().meta({ description: 'Error code of the protocol', example: 'invalid_request' }),
    description: z
      .string()
      .meta({ description: 'What was refused', example: 'The redirect_uri is missing or is not one that the application has registered.' }),
    check: z.string().meta({ description: 'What was checked', example: 'redirect_uri' }),
    expected: z.any().meta({ description: 'What was expected', example: ['https://portal.acme.test/callback'] }),
    received: z.any().meta({ description: 'Secrets are masked', example: 'https://portal.acme.test/callbak' }),
    hint: z.string().nullable().meta({ description: 'The difference in words', example: 'from character 33 on it has "ck"' }),
    parameters: z
      .record(z.string(), z.string())
      .meta({ description: 'Everything that was sent; secrets are masked', example: { scope: 'openid' } }),
    connectionId: z.string().nullable().meta({
      description: 'The connection of the sign-in; null for a request of an application',
      example: 'con_01kahm3z9n4v7f2t8q6w5r1y14',
    }),
    phrases: z
      .object({ expected: SaidPhrase, received: SaidPhrase, hint: SaidPhrase })
      .nullable()
      .meta({
        description: 'What of these is said in words of the service; null of what was refused before an upgrade brought this',
        example: { expected: { phrase: 'a-code-used-once', values: [] }, received: { phrase: 'a-second-use', values: [] }, hint: null },
      }),
    checks: z
      .array(CheckOfConnection)
      .nullable()
      .meta({
        description: 'For a sign-in with a connection: every check, in order; secrets are masked',
        example: [exampleCheck],
      }),
    signInId: z.string().nullable().meta({
      description: 'The sign-in that the request was part of, for GET /v1/admin/sign-ins/{id}; null without one',
      example: 'sgn_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    createdAt: timestamp().meta({ description: 'When the request was refused' }),
  })
  .meta({ component: 'Diagnostic' })

const DiagnosticFilters = z.object({
  clientId: text().optional().meta({ description: 'Only requests of this client', example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  connectionId: text().optional().meta({ description: 'Only sign-ins with this connection', example: 'con_01kahm3z9n4v7f2t8q6w5r1y14' }),
  check: text().optional().meta({ description: 'Only requests that this check refused', example: 'redirect_uri' }),
  error: text().optional().meta({ description: 'Only refusals with this error code of the protocol', example: 'invalid_grant' }),
  from: dateTime().optional().meta({ description: 'Requests refused at or after this time', example: '2026-01-30T00:00:00.000Z' }),
  to: dateTime().optional().meta({ description: 'Requests refused before this time', example: '2026-01-31T00:00:00.000Z' }),
})

export const DiagnosticQuery = DiagnosticFilters.extend({
  limit: limit(1_000).default(50).meta({ description: 'Maximum number of records', example: 50 }),
  cursor: cursorField(),
})

export const DiagnosticPage = recordPageOf(Diagnostic)

// A malformed reference is as unknown as any other: it becomes one that no record has.
export const Reference = z.object({
  reference: z
    .string()
    .transform((text) => (/^[\w-]{1,100}$/.test(text) ? text : 'malformed'))
    .meta({ description: 'The reference that an error page or response names', example: 'ref_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})
