import { z } from 'zod'
import { mfaMethods } from '../access/factors.ts'
import { RequiredConnection } from '../domains/schemas.ts'
import { AssertionResponse, PasskeyProof, RequestOptions } from '../passkeys/schemas.ts'
import { documentedResponse } from '../platform/http/documented-response.ts'
import { isSecret, password, recordId, text, timestamp, token } from '../platform/http/fields.ts'
import { ProblemDetails } from '../platform/http/problem-details.ts'

export const Credentials = z
  .object({
    // Not validated as an address: a mistyped one gets the same response as any other unknown one.
    email: text().toLowerCase().meta({ description: 'In any letter case', example: 'owner@acme.test' }),
    password: password().meta({
      description: 'The password of the account',
      example: 'correct horse battery',
    }),
  })
  .meta({ component: 'Credentials' })
export type Credentials = z.infer<typeof Credentials>

const mfaToken = () =>
  token().meta({ description: 'From the response to the password', example: 'Wd4bW1o0bUZ5c3RlcGFuZG5vdGhpbmdlbHNlMTIzNDU' })

export const StartedSignIn = z.object({
  mfaToken: mfaToken(),
})

export const SecondFactorCode = z.object({
  code: text()
    .min(1)
    .meta({ ...isSecret, description: 'Of the authenticator app, of the SMS, or a backup code', example: '123456' }),
})

export const SecondFactor = z
  .union([z.object({ mfaToken: mfaToken(), ...SecondFactorCode.shape }), z.object({ mfaToken: mfaToken(), credential: AssertionResponse })])
  .meta({ component: 'SecondFactor' })
export type SecondFactor = z.infer<typeof SecondFactor>

export const SecondFactorOptions = z.object({ options: RequestOptions }).meta({ component: 'SecondFactorOptions' })

export const OwnPassword = z.object({
  password: password().meta({ description: 'The password, of users without a second factor', example: 'correct horse battery' }),
})

/** The proofs by which the caller reauthenticates. */
export const Reauthentication = z.union([OwnPassword, SecondFactorCode, PasskeyProof]).meta({ component: 'Reauthentication' })
export type Reauthentication = z.infer<typeof Reauthentication>

export const Reauthenticated = z.object({ reauthenticatedAt: timestamp().meta({ description: 'When it was proven' }) })

const startedSession = {
  user: z
    .object({
      id: recordId('usr'),
      email: z.string().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
      name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    })
    .meta({ description: 'The user who has signed in' }),
  session: z
    .object({
      id: recordId('ses'),
      expiresAt: timestamp().meta({ description: 'When the session ends, however much it is used' }),
    })
    .meta({ description: 'The session that was started' }),
  csrfToken: z.string().meta({
    ...isSecret,
    description: 'Send it as `X-CSRF-Token` with every request of this session',
    example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw',
  }),
}

export const SignedIn = z
  .discriminatedUnion('status', [
    z.object({ status: z.literal('authenticated').meta({ description: 'The session has begun' }), ...startedSession }),
    z.object({
      status: z.literal('mfa_required').meta({ description: 'A second factor has to follow' }),
      mfaToken: z.string().meta({
        ...isSecret,
        description: 'Completes the sign-in at /v1/auth/login/mfa, once, within five minutes',
        example: 'Wd4bW1o0bUZ5c3RlcGFuZG5vdGhpbmdlbHNlMTIzNDU',
      }),
      methods: z
        .array(z.enum(mfaMethods))
        .meta({ description: 'Second factors of the user, one of which has to follow', example: ['totp'] }),
    }),
    z
      .object({
        status: z.literal('mfa_enrollment_required').meta({ description: 'A second factor, or a passkey, has to be enrolled first' }),
        ...startedSession,
      })
      .meta({
        description: 'The session can only enrol a second factor or a passkey, which makes it a full session',
      }),
  ])
  .meta({ component: 'SignedIn' })
export type SignedIn = z.infer<typeof SignedIn>

const Forbidden = ProblemDetails.extend({
  resetToken: z
    .string()
    .optional()
    .meta({
      ...isSecret,
      description: 'Sets another password at /v1/auth/password/reset, when the old one has expired',
      example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw',
    }),
  expiresAt: timestamp().optional().meta({ description: 'Until when the `resetToken` works' }),
  connection: RequiredConnection.optional(),
})

/** The error handler writes this response. */
export const expiredPassword = {
  403: documentedResponse('Not allowed, or only with another password or a connection', { 'application/problem+json': Forbidden }),
}

const Unauthorized = ProblemDetails.extend({
  unknownCredential: z.literal(true).optional().meta({ description: 'Only when no passkey with this id is known here, of any user' }),
})

/** The error handler writes this response. */
export const unknownPasskey = {
  401: documentedResponse('Not recognised', { 'application/problem+json': Unauthorized }),
}

export const CsrfToken = z.object({
  csrfToken: z.string().meta({
    ...isSecret,
    description: 'For the header X-CSRF-Token of every request of this session',
    example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw',
  }),
})
