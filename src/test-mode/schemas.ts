import { z } from 'zod'
import { timestamp } from '../platform/http/fields.ts'
import { MadeOrganisation } from '../seeds/organisations.ts'

const amount = z.number().min(-1_000_000).max(1_000_000)
export const Advance = z.strictObject({
  days: amount.optional().meta({ description: 'Days', example: 1 }),
  hours: amount.optional().meta({ description: 'Hours', example: 2 }),
  minutes: amount.optional().meta({ description: 'Minutes', example: 30 }),
  seconds: amount.optional().meta({ description: 'Seconds', example: 5 }),
})
export const NewTime = z.strictObject({
  time: z.iso.datetime({ offset: true }).meta({ description: 'The time from now on', example: '2027-01-01T00:00:00Z' }),
})
export const ClockState = z.object({
  now: timestamp('The time of the service'),
  isFrozen: z.boolean().meta({ description: 'Whether only the test moves it', example: false }),
})

const timeoutMilliseconds = z
  .number()
  .int()
  .min(0)
  .max(60_000)
  .default(5_000)
  .meta({ description: 'How long to wait for one, in real time', example: 5_000 })
const to = z.string().optional().meta({ description: 'Recipient', example: 'anna@acme.test' })
const links = z.array(z.string()).meta({ description: 'The addresses in it' })
const code = z.string().nullable().meta({ description: 'The first code of six to eight digits; null without one', example: '123456' })

export const AskedMail = z.strictObject({
  to,
  subject: z.string().optional().meta({ description: 'A part of the subject', example: 'password' }),
  timeoutMilliseconds,
})
export const Mail = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), links, code })
export const Mails = z.object({ data: z.array(Mail) })

export const AskedText = z.strictObject({ to, timeoutMilliseconds })
export const Text = z.object({ to: z.string(), text: z.string(), links, code })
export const Texts = z.object({ data: z.array(Text) })

export const AskedFailures = z.strictObject({
  times: z.number().int().min(0).max(1_000).default(1).meta({ description: 'How many of the next are refused', example: 1 }),
})

export const AskedWebhook = z.strictObject({
  event: z.string().optional().meta({ description: 'Name of the event', example: 'user.created' }),
  organisationId: z.string().optional().meta({ description: 'Id of the organisation', example: 'org_01j5a7k3m9q2w4e6r8t0y1u3i5' }),
  timeoutMilliseconds,
})
export const Webhook = z.object({
  organisationId: z.string(),
  event: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().meta({ description: 'The text that the signature covers' }),
})
export const ReceiverStatus = z.strictObject({
  status: z.number().int().min(200).max(599).meta({ description: 'The status of its responses from now on', example: 500 }),
})

const delayMilliseconds = z.number().int().min(0).max(60_000)
export const NewFault = z
  .strictObject({
    path: z.string().startsWith('/').max(1_000).meta({ description: 'Path; with * at its end, its beginning', example: '/oauth2/token' }),
    method: z.string().toUpperCase().max(20).optional().meta({ description: 'Method; any without it', example: 'POST' }),
    status: z
      .union([z.number().int().min(400).max(599), z.enum(['reset', 'slow'])])
      .meta({ description: 'The status to respond with; `reset` closes the connection, `slow` responds late', example: 503 }),
    times: z.number().int().min(1).max(100_000).default(1).meta({ description: 'How many requests it meets', example: 1 }),
    delayMilliseconds: delayMilliseconds
      .default(0)
      .meta({ description: 'How long the response waits, in real time; `slow` needs it', example: 0 }),
  })
  .refine(({ status, delayMilliseconds }) => status !== 'slow' || delayMilliseconds > 0, {
    path: ['delayMilliseconds'],
    error: 'A slow response needs a delay',
  })

export const NewBend = z.strictObject({
  token: z.enum(['access', 'id', 'logout']).meta({ description: 'The token to bend', example: 'access' }),
  expired: z.boolean().optional().meta({ description: 'It expired an hour ago', example: true }),
  notYetValid: z.boolean().optional().meta({ description: 'It is valid in an hour', example: false }),
  audience: z.string().optional().meta({ description: 'Another audience', example: 'https://other.test' }),
  issuer: z.string().optional().meta({ description: 'Another issuer', example: 'https://other.test' }),
  nonce: z.string().optional().meta({ description: 'Another nonce', example: 'other' }),
  signature: z.enum(['broken', 'none', 'unknown key']).optional().meta({ description: 'A wrong signature', example: 'none' }),
  claims: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Other claims', example: { org: 'org_other' } }),
})

export const AskedSession = z.strictObject({ user: z.string().meta({ description: 'Id or e-mail address', example: 'anna@acme.test' }) })
export const BegunSession = z.object({
  sessionId: z.string(),
  cookie: z.object({ name: z.string(), value: z.string(), expires: z.string() }),
  csrfToken: z.string(),
})
export const IssuedTokens = z.looseObject({ access_token: z.string().optional() })
export const Code = z.object({ code: z.string() })
export const Snapshot = z.object({ id: z.string() })
export const Named = z.object({ id: z.string().meta({ description: 'Id; of a user also the e-mail address', example: 'anna@acme.test' }) })
export const State = z.object({
  mode: z.literal('test'),
  url: z.string().meta({ description: 'Address and issuer of the service', example: 'http://localhost:3000' }),
  systemApiKey: z.string().meta({ description: 'Key of the system API', example: 'sk_…' }),
  now: timestamp('The time of the service'),
  organisations: z.array(MadeOrganisation).meta({ description: 'The organisations of the seeds, in their order' }),
})
