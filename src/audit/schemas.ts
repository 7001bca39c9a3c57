import { z } from 'zod'
import { dateTime, email, plainText, text, timestamp } from '../platform/http/fields.ts'

export const AuditFilters = z.object({
  action: text().optional().meta({ example: 'user.created' }),
  actorId: text().optional(),
  targetType: text().optional().meta({ example: 'user' }),
  targetId: text().optional(),
  email: email()
    .optional()
    .meta({ description: 'Entries of which the actor or the target is the user, or the invitation, of this address' }),
  from: dateTime().optional().meta({ description: 'Entries at or after this time' }),
  to: dateTime().optional().meta({ description: 'Entries before this time' }),
})
export type AuditFilters = z.infer<typeof AuditFilters>

export const AuditQuery = AuditFilters.extend({
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
  cursor: plainText().max(1_000).optional(),
})

export const AuditExportQuery = AuditFilters.extend({
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({ description: 'A JSON object a line, or comma-separated values', example: 'csv' }),
})

export const AuditEntry = z.object({
  id: z.string().meta({ example: 'aud_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  action: z.string().meta({ example: 'user.created' }),
  actorType: z.enum(['user', 'api_key', 'client', 'system']),
  actorId: z.string().nullable(),
  targetType: z.string().meta({ example: 'user' }),
  targetId: z.string(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).nullable(),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: 'What else belongs to it, such as why; null when nothing does', example: { because: 'role.deleted' } }),
  createdAt: timestamp(),
  actorName: z.string().nullable().meta({ description: 'What the actor was called then', example: 'Olive Owner' }),
  actorEmail: z.string().nullable().meta({ description: "The actor's address then, of a user", example: 'owner@acme.test' }),
  targetName: z.string().nullable().meta({ description: 'What the target was called then', example: 'Carol Shaw' }),
  targetEmail: z.string().nullable().meta({ description: "The target's address then", example: 'carol@acme.test' }),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditPage = z.object({ data: z.array(AuditEntry), nextCursor: z.string().nullable() })
