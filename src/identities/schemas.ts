import { z } from 'zod'
import { recordId, timestamp } from '../platform/http/fields.ts'

/** A user's account at an identity provider. */
export const IdentityRecord = z
  .object({
    id: recordId('idn'),
    connection: z
      .object({
        id: recordId('con'),
        slug: z.string().meta({ description: 'Short name of the connection for programs', example: 'acme' }),
        name: z.string().meta({ description: 'Name of the connection', example: 'Acme' }),
        provider: z.string().meta({ description: 'The kind of identity provider', example: 'oidc' }),
        isActive: z.boolean().meta({ description: 'Whether it signs in', example: true }),
      })
      .meta({ description: 'The connection that it began with' }),
    subject: z.string().meta({ description: 'The id of the user at the provider', example: '248289761001' }),
    email: z.string().nullable().meta({ description: 'The address there, if known', example: 'carol@acme.test' }),
    createdAt: timestamp('When it was linked'),
    lastUsedAt: timestamp().nullable().meta({ description: 'When the user last signed in with it; null before' }),
  })
  .meta({ component: 'Identity' })
export type IdentityRecord = z.infer<typeof IdentityRecord>
