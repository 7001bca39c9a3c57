import { z } from 'zod'
import { newPassword, password, text, timestamp, token } from '../platform/http/fields.ts'

const linkToken = () => token().meta({ description: 'From the link in the mail', example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw' })

export const ForgottenPassword = z.object({
  // This is not checked as an address: a mistyped one gets the same response as any other.
  email: text().min(1).toLowerCase().meta({ description: 'E-mail address of the account', example: 'carol@acme.test' }),
})

export const LinkToken = z.object({ token: linkToken() })

export const PasswordLink = z.object({
  valid: z.boolean().meta({ description: 'Whether the link can still set a password' }),
  expiresAt: timestamp().nullable().meta({ description: 'Until when; null when it is not valid' }),
  passwordPolicy: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'The rules for passwords, as the organisation has set them' }),
})

export const PasswordReset = z
  .object({
    token: linkToken(),
    password: newPassword().meta({
      description: 'Within the password policy of the organisation',
      example: 'correct horse battery',
    }),
  })
  .meta({ component: 'PasswordReset' })

export const PasswordChange = z
  .object({
    currentPassword: password().meta({ description: 'The present password', example: 'correct horse battery' }),
    newPassword: newPassword().meta({
      description: 'The new one, within the password policy of the organisation',
      example: 'another horse battery',
    }),
  })
  .meta({ component: 'PasswordChange' })
export type PasswordChange = z.infer<typeof PasswordChange>
