import { z } from 'zod'
import { SaidPhrase } from '../oauth/endpoints/diagnostic-schemas.ts'
import { email, id, plainText, recordId, text } from '../platform/http/fields.ts'
import { ends, findingCodes, stepNames } from './findings.ts'

const uriMax = 2_048
/** That of an address of a client ID metadata document. */
const clientIdMax = 512
const ways = ['password', 'passkey', 'email_code', 'connection'] as const

export const AskedSignInCheck = z
  .object({
    email: email().meta({ description: 'The whole e-mail address', example: 'anna@acme.test' }),
    clientId: plainText().min(1).max(clientIdMax).optional().meta({
      description: 'The application that the user wants to use; for one with a document, the address of that',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    connectionId: id().optional().meta({
      description: 'The connection with which the user signs in; limits the check to this way',
      example: 'con_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    redirectUri: plainText()
      .min(1)
      .max(uriMax)
      .optional()
      .meta({ description: 'The redirect URI that the application sends, beside `clientId`', example: 'https://app.acme.test/callback' }),
    permission: text().min(1).optional().meta({ description: 'Slug of the permission that the user needs', example: 'orders:read' }),
  })
  .meta({ component: 'AskedSignInCheck' })
export type AskedSignInCheck = z.infer<typeof AskedSignInCheck>

const way = z.enum(ways)
const connectionId = recordId('con').nullable()

const Step = z
  .object({
    step: z.enum(stepNames).meta({ description: 'What is looked at', example: 'block' }),
    way: way.nullable().meta({ description: 'The way to sign in that the step belongs to; null if it applies to every way' }),
    connectionId: connectionId.meta({ description: 'The connection, if the way is one' }),
    code: z.enum(findingCodes).meta({ description: 'What was found', example: 'user-blocked' }),
    met: z.boolean().meta({ description: 'Whether a sign-in gets past the step', example: false }),
    why: z
      .string()
      .meta({ description: 'What was found, in English', example: 'The user has been blocked since 2026-01-31T09:30:00.000Z' }),
    remedy: z.string().nullable().meta({ description: 'How to fix it; null for a step that is met', example: 'Unblock the user' }),
    values: z.record(z.string(), z.string()).meta({
      description:
        'The values in the sentence: times, names. Of a connection that fails and an application that is refused, `check` is the code of the check that failed',
      example: { since: '2026-01-31T09:30:00.000Z' },
    }),
    phrases: z
      .record(z.string(), SaidPhrase)
      .meta({ description: 'Of the values, those that are words of the service: programs translate them', example: {} }),
  })
  .meta({ component: 'SignInCheckStep' })
export type SignInStep = z.infer<typeof Step>
export type WayTaken = Pick<SignInStep, 'way' | 'connectionId'>

export const SignInCheck = z
  .object({
    userId: recordId('usr').nullable().meta({ description: 'The user of the address; null when the organisation has none' }),
    allowed: z.boolean().meta({
      description:
        'Whether the sign-in would succeed now: at least one way leads to a session, and the user may use the application and has the permission',
    }),
    ways: z
      .array(
        z.object({
          way: way.meta({ description: 'The way to sign in' }),
          connectionId: connectionId.meta({ description: 'The connection, if the way is one' }),
          leadsTo: z.enum(ends).meta({
            description:
              'Where it leads a user who passes every factor: to a session, to confirming a linked account, to setting up a second factor or passkey, to a new password, or to a refusal',
          }),
        }),
      )
      .meta({ description: 'Each way to sign in' }),
    steps: z.array(Step).meta({ description: 'Each step that a sign-in would take now, in order' }),
  })
  .meta({ component: 'SignInCheck' })
export type SignInCheck = z.infer<typeof SignInCheck>

export const SystemSignInCheck = SignInCheck.extend({
  organisationId: recordId('org')
    .nullable()
    .meta({ description: 'The organisation of the address, or of its domain; null when there is none' }),
}).meta({ component: 'SystemSignInCheck' })
export type SystemSignInCheck = z.infer<typeof SystemSignInCheck>
