import { z } from 'zod'
import { newPassword } from '../platform/http/fields.ts'

export const PasswordReset = z.object({
  token: z.string().min(1).max(255).meta({ description: 'From the link in the mail' }),
  password: newPassword(),
})
