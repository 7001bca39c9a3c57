import { z } from 'zod'
import { documentedResponse } from '../platform/http/documented-response.ts'
import { recordId } from '../platform/http/fields.ts'
import { ProblemDetails } from '../platform/http/problem-details.ts'

/** A user among the consequences of a change. */
export const UserSummary = z
  .object({
    id: recordId('usr'),
    name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    email: z.string().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
  })
  .meta({ component: 'UserSummary' })

export const RecentSignInRequired = ProblemDetails.extend({
  methods: z
    .array(z.string())
    .optional()
    .meta({ description: 'The proofs that the caller can use', example: ['password'] }),
  maxAgeSeconds: z.number().int().optional().meta({ description: 'How old that proof may be', example: 900 }),
})

/** The fields that the error handler adds for an operation that asks for a recent sign-in. */
export const recentSignIn = {
  403: documentedResponse('Not allowed, or only after a recent sign-in', { 'application/problem+json': RecentSignInRequired }),
}
