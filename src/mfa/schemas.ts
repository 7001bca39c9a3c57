import { z } from 'zod'
import { mfaMethods } from '../access/factors.ts'
import { PasskeyProof, StartedRequest } from '../passkeys/schemas.ts'
import { isSecret, plainText, timestamp } from '../platform/http/fields.ts'
import { phoneRequired } from './refusals.ts'

export const Code = z.object({
  token: plainText()
    .length(6)
    .meta({ ...isSecret, description: 'The six digits of a code', example: '123456' }),
})

/** A number that can be called from anywhere, however its digits are grouped. */
export const PhoneNumber = plainText()
  .max(40)
  .transform((typed) => typed.replaceAll(/[\s().-]/g, ''))
  .refine((typed) => /^\+[1-9]\d{6,14}$/.test(typed), { error: phoneRequired.text, params: { reason: phoneRequired.code } })

/** Without a body, an authenticator app is enrolled. */
export const EnrolmentRequest = z.object({
  method: z.enum(mfaMethods).optional().meta({ description: 'totp by default' }),
  phone: PhoneNumber.optional().meta({ description: 'For sms: where the codes go', example: '+49 151 12345678' }),
  token: Code.shape.token
    .optional()
    .meta({ description: 'A code of a factor that you have, to add one of the other kind or to replace one' }),
  // A passkey can replace the code.
  ...PasskeyProof.partial().shape,
  replace: z.boolean().optional().meta({ description: 'Whether the new factor replaces the one of its kind, once it is confirmed' }),
})
export type EnrolmentRequest = z.infer<typeof EnrolmentRequest>

const TotpEnrolment = z.object({
  secret: z.string().meta({ ...isSecret, description: 'Base32', example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
  qrCodeUri: z
    .string()
    .meta({ ...isSecret, description: 'For an authenticator app to scan', example: 'otpauth://totp/Acme:carol%40acme.test?secret=…' }),
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
})
export type TotpEnrolment = z.infer<typeof TotpEnrolment>

const SmsEnrolment = z.object({
  phone: z.string().meta({ description: 'Where the code was sent', example: '+44 20 7946 0000' }),
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
})
export type SmsEnrolment = z.infer<typeof SmsEnrolment>

/** For a passkey, the options for the browser. */
export const StartedEnrolment = z.union([TotpEnrolment, SmsEnrolment, StartedRequest])
export type StartedEnrolment = z.infer<typeof StartedEnrolment>

/** A code of a second factor, or a passkey where passkeys are one. */
export const EnrolmentProof = z.union([Code, PasskeyProof])
export type EnrolmentProof = z.infer<typeof EnrolmentProof>

export const MfaState = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether signing in takes a second factor' }),
    methods: z
      .array(
        z.object({
          method: z.enum(mfaMethods).meta({ description: 'Kind of second factor' }),
          phone: z
            .string()
            .nullable()
            .meta({ description: 'Where codes are sent; null for an authenticator app', example: '+44 20 7946 0000' }),
          verifiedAt: timestamp('When it was confirmed with a code'),
        }),
      )
      .meta({ description: 'Second factors of the user' }),
    backupCodesLeft: z.number().int().meta({ description: 'How many backup codes have not been used', example: 10 }),
  })
  .meta({ component: 'MfaState' })
export type MfaState = z.infer<typeof MfaState>

export const BackupCodes = z
  .array(z.string())
  .meta({ ...isSecret, description: 'Each replaces a code once', example: ['k3f9-x2mm-7c0d-q8vt'] })

export const VerifiedEnrolment = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Done' }),
  backupCodes: BackupCodes,
  warning: z
    .string()
    .meta({ description: 'What to keep in mind', example: 'Keep the backup codes somewhere safe: they are not shown again' }),
  csrfToken: z
    .string()
    .optional()
    .meta({
      ...isSecret,
      description: 'Only if the session had to enrol first: it is now a full session, with a new cookie and a new CSRF token',
      example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw',
    }),
})
