import { z } from 'zod'
import { recordId } from '../platform/http/fields.ts'

/** A user as part of what a change would lead to. */
export const UserSummary = z
  .object({
    id: recordId('usr'),
    name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    email: z.string().meta({ description: 'E-mail address', example: 'carol@acme.test' }),
  })
  .meta({ component: 'UserSummary' })
