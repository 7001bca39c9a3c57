import { z } from 'zod'
import { CheckOfConnection } from '../oauth/endpoints/diagnostic-schemas.ts'
import { recordId, timestamp } from '../platform/http/fields.ts'

/** The kinds of steps in a sign-in, in their usual order. */
export const stepKinds = [
  'begun',
  'code_mailed',
  'failed',
  'locked',
  'account_created',
  'account_linked',
  'factor_given',
  'new_password_asked',
  'second_factor_asked',
  'signed_in',
  'second_factor_enrolled',
  'passkey_registered',
  'proven_again',
  'stepped_up',
  'consent_given',
  'code_issued',
  'tokens_issued',
  'tokens_refreshed',
  'tokens_ended',
  'refused',
  'signed_out',
  'session_ended',
  'session_expired',
] as const
export type StepKind = (typeof stepKinds)[number]

const Named = (description: string, id: string, name: string) =>
  z
    .object({
      id: z.string().meta({ description: 'Its id', example: id }),
      name: z.string().nullable().meta({ description: 'Its current name; null if it was deleted', example: name }),
    })
    .nullable()
    .meta({ description })

const Client = Named('The application; null without one', 'cli_01kahm3z9n4v7f2t8q6w5r1y0x', 'Portal')
const Connection = Named('The connection that it began with; null without one', 'con_01kahm3z9n4v7f2t8q6w5r1y14', 'Acme Entra')

const SignInStep = z
  .object({
    at: timestamp('When it happened'),
    kind: z.enum(stepKinds).meta({ description: 'What happened', example: 'factor_given' }),
    code: z.string().nullable().meta({
      description: 'The factor that was given, or the error code of a refusal; null if the kind says enough',
      example: 'totp',
    }),
    reason: z.string().nullable().meta({ description: 'Why it failed, was refused or ended', example: 'wrong password' }),
    client: Client,
    connection: Connection,
    scopes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What was granted, of codes, tokens and consent', example: ['openid'] }),
    methods: z
      .array(z.string())
      .nullable()
      .meta({ description: 'How the user has signed in, by RFC 8176', example: ['pwd', 'otp', 'mfa'] }),
    checks: z
      .array(CheckOfConnection)
      .nullable()
      .meta({ description: 'For a sign-in that a connection has refused: every check, in order' }),
    entryId: z.string().nullable().meta({ description: 'The audit entry of it', example: 'aud_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    sessionId: z.string().nullable().meta({ description: 'The session', example: 'ses_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    reference: z.string().nullable().meta({ description: 'The diagnostic of a refusal', example: '7k3m-q9td-x2vb' }),
  })
  .meta({ component: 'SignInStep' })

/** The permissions without which parts of a sign-in are left out. */
export const partPermissions = ['users:read', 'clients:read'] as const

export const SignIn = z
  .object({
    id: recordId('sgn'),
    user: z
      .object({
        id: z.string().meta({ description: 'Id of the user', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
        name: z.string().nullable().meta({ description: 'The name of the user at that time', example: 'Carol Shaw' }),
        email: z.string().nullable().meta({ description: 'The address of the user at that time', example: 'carol@acme.test' }),
      })
      .nullable()
      .meta({ description: 'Who signed in, or tried to; null while unknown' }),
    client: Client.meta({ description: 'The application that first requested it, or got tokens with it; null if there is none' }),
    connection: Connection,
    begunAt: timestamp('When it began'),
    endedAt: timestamp()
      .nullable()
      .meta({ description: 'When its session ended; null while it is active, and if that is no longer known' }),
    state: z.enum(['not_signed_in', 'active', 'ended', 'unknown']).meta({
      description: 'Its state. `unknown` for a caller without `users:read`, unless the audit log says that the session has ended',
      example: 'active',
    }),
    steps: z.array(SignInStep).meta({ description: 'The whole sign-in, in chronological order' }),
    isComplete: z
      .boolean()
      .meta({ description: 'Whether these are all steps: of each kind of record, the first 200 are read', example: true }),
    leftOut: z.array(z.enum(partPermissions)).meta({
      description:
        'Permissions that the caller lacks, so that steps are missing: factors, codes and tokens without `users:read`, refusals without `clients:read`',
      example: [],
    }),
  })
  .meta({ component: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>
