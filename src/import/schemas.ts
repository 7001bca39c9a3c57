import { z } from 'zod'
import { NewUser, UserChanges } from '../accounts/schemas.ts'
import { whyHashRefused } from '../passwords/foreign-hashes/why-refused.ts'
import { dateTime, id, ids, plainText, storable } from '../platform/http/fields.ts'

const totpBytesLeast = 10
const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

/** A user in a file: the input of `POST /v1/admin/users`, with the same schemas, and further knowledge of another system. */
export const ImportedUser = z.strictObject({
  email: NewUser.shape.email,
  firstName: NewUser.shape.firstName,
  lastName: NewUser.shape.lastName,
  phone: UserChanges.shape.phone,
  emailVerified: z.boolean().optional(),
  /** A date without a time means its beginning in UTC. */
  createdAt: z.preprocess((value) => (isDay(value) ? `${value}T00:00:00Z` : value), dateTime()).optional(),
  /** Slugs or ids. */
  roles: ids().optional(),
  teams: ids().optional(),
  blocked: z.boolean().optional(),
  metadata: storable(z.record(z.string(), z.unknown())).optional(),
  passwordHash: plainText()
    .superRefine((hash, context) => {
      const why = whyHashRefused(hash)
      if (why !== undefined) context.addIssue({ code: 'custom', message: why })
    })
    .nullable()
    .optional(),
  totpSecret: plainText()
    .transform((secret) => secret.toUpperCase().replaceAll(/[\s=-]/g, ''))
    .refine((secret) => /^[A-Z2-7]+$/.test(secret) && (secret.length * 5) / 8 >= totpBytesLeast, 'Base32 of at least 80 bits')
    .nullable()
    .optional(),
  externalId: id().optional(),
})
export type ImportedUser = z.output<typeof ImportedUser>
