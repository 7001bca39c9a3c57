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
      name: z.string().nullable().meta({ description: 'What it is called now; null when it is gone', example: name }),
    })
    .nullable()
    .meta({ description })

const Client = Named('The application that it concerns; null where it concerns none', 'cli_01kahm3z9n4v7f2t8q6w5r1y0x', 'Portal')
const Connection = Named('The connection by which it came; null where it came by none', 'con_01kahm3z9n4v7f2t8q6w5r1y14', 'Acme Entra')

const SignInStep = z
  .object({
    at: timestamp('When it happened'),
    kind: z.enum(stepKinds).meta({ description: 'What happened', example: 'factor_given' }),
    code: z.string().nullable().meta({
      description: 'Which one: the factor that was given, or the error code of a refusal. Null where the kind says it all',
      example: 'totp',
    }),
    reason: z.string().nullable().meta({ description: 'Why, of what failed, was refused or ended', example: 'wrong password' }),
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
      .meta({ description: 'Of a sign-in that a connection has refused: every check that was made, in their order' }),
    entryId: z.string().nullable().meta({ description: 'The audit entry of it', example: 'aud_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    sessionId: z.string().nullable().meta({ description: 'The session that it concerns', example: 'ses_01kahm3z9n4v7f2t8q6w5r1y0x' }),
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
        name: z.string().nullable().meta({ description: 'What the user was called then', example: 'Carol Shaw' }),
        email: z.string().nullable().meta({ description: 'The address of the user then', example: 'carol@acme.test' }),
      })
      .nullable()
      .meta({ description: 'Who has signed in, or tried to; null while nobody is known' }),
    client: Client.meta({ description: 'The application that first asked for it, or got tokens by it; null where there is none' }),
    connection: Connection,
    begunAt: timestamp('When it began'),
    endedAt: timestamp()
      .nullable()
      .meta({ description: 'When its session ended; null while it is active, and where that is not known any more' }),
    state: z.enum(['not_signed_in', 'active', 'ended', 'unknown']).meta({
      description:
        'What has become of it. `unknown` for a caller without `users:read`, unless the audit log says that the session has ended',
      example: 'active',
    }),
    steps: z.array(SignInStep).meta({ description: 'The whole way, in the order of time' }),
    isComplete: z
      .boolean()
      .meta({ description: 'Whether these are all steps: of each kind of record, the first 200 are read', example: true }),
    leftOut: z.array(z.enum(partPermissions)).meta({
      description:
        'Permissions that the caller lacks, so that steps are left out: factors, codes and tokens without `users:read`, refusals without `clients:read`',
      example: [],
    }),
  })
  .meta({ component: 'SignIn' })
export type SignIn = z.infer<typeof SignIn>
