import { z } from 'zod'
import { password, text, timestamp } from '../platform/http/fields.ts'

export const Credentials = z.object({
  // Not checked as an address: a mistyped one is answered like any other wrong one.
  email: text().toLowerCase().meta({ example: 'owner@acme.test' }),
  password: password(),
})
export type Credentials = z.infer<typeof Credentials>

export const SignedIn = z.object({
  status: z.literal('authenticated'),
  user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
  session: z.object({ id: z.string(), expiresAt: timestamp() }),
  csrfToken: z.string().meta({ description: 'To be sent as `X-CSRF-Token` with every request of this session' }),
})
export type SignedIn = z.infer<typeof SignedIn>

export const CsrfToken = z.object({ csrfToken: z.string() })
