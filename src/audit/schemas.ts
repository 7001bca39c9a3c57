import { z } from 'zod'
import { actionTargets } from '../activity/catalogue.ts'
import { dateTime, email, limit, recordId, text, timestamp } from '../platform/http/fields.ts'
import { cursorField, recordPageOf } from '../platform/http/lists.ts'
import { ExportQuery } from '../platform/http/record-export.ts'

const actionsMax = 100

export const AuditFilters = z.object({
  action: z
    .preprocess((sent) => (typeof sent === 'string' ? [sent] : sent), z.array(text()).max(actionsMax))
    .optional()
    .meta({
      description:
        'Only entries of this action; may be repeated. `user.*` stands for every action that begins with `user.`: GET /v1/admin/audit-logs/actions lists them',
      type: 'array',
      items: { type: 'string' },
      example: ['user.*', 'login.failed'],
    }),
  actorId: text().optional().meta({
    description: 'Only entries of this actor',
    example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
  clientId: text().optional().meta({
    description: 'Only entries by this application or about it: what it has done, and what it was allowed',
    example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
  }),
  targetType: text().optional().meta({ description: 'Only entries about this kind of object', example: 'user' }),
  targetId: text().optional().meta({ description: 'Only entries about this object', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  email: email().optional().meta({
    description: 'Entries whose actor or target is the user who has this address, a user who had it before, or the invitation to it',
    example: 'carol@acme.test',
  }),
  ipAddress: text().optional().meta({ description: 'Only entries of requests from this IP address', example: '203.0.113.7' }),
  requestId: text().optional().meta({
    description: 'Only entries of this request: the `X-Request-Id` of its response',
    example: '3f0d1f0e-5b0a-4c55-9a86-0c7a6a0b7f11',
  }),
  from: dateTime().optional().meta({ description: 'Entries at or after this time', example: '2026-01-01T00:00:00.000Z' }),
  to: dateTime().optional().meta({ description: 'Entries before this time', example: '2026-02-01T00:00:00.000Z' }),
})
export type AuditFilters = z.infer<typeof AuditFilters>

export const AuditQuery = AuditFilters.extend({
  limit: limit(1_000).default(50).meta({ description: 'Maximum number of records', example: 50 }),
  cursor: cursorField(),
})

export const AuditExportQuery = AuditFilters.extend(ExportQuery.shape)

const actorId = z.string().nullable().meta({
  description: 'Id of the actor; `cli` for the command `gatehouse`, null for the system otherwise and for a caller who was not identified',
  example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x',
})
const actorType = z
  .enum(['user', 'api_key', 'client', 'directory', 'setup_link', 'system'])
  .meta({ description: 'What kind of actor it was' })
const actorName = z.string().nullable().meta({ description: 'The name of the actor at that time', example: 'Olive Owner' })
const actorEmail = z
  .string()
  .nullable()
  .meta({ description: 'The e-mail address of an actor who is a user, at that time', example: 'owner@acme.test' })
const targetType = z.string().meta({ description: 'The kind of object', example: 'user' })
const targetId = z.string().meta({ description: 'Id of the object that it concerns', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' })
const targetName = z.string().nullable().meta({ description: 'The name of the target at that time', example: 'Carol Shaw' })

const AuditActor = z.object({ id: actorId, type: actorType, name: actorName, email: actorEmail })
const AuditTarget = z.object({ id: targetId, type: targetType, name: targetName })

export const AuditEntry = z
  .object({
    id: recordId('aud'),
    action: z.string().meta({ description: 'What happened', example: 'user.created' }),
    actorType,
    actorId,
    targetType,
    targetId,
    ipAddress: z.string().nullable().meta({ description: 'IP address of the request; null for the system', example: '203.0.113.7' }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'User agent of the request, as it names itself; null for the system', example: 'Mozilla/5.0' }),
    changes: z
      .record(
        z.string(),
        z.object({
          from: z.unknown().meta({ description: 'The value before', example: 'Carol' }),
          to: z.unknown().meta({ description: 'The value after', example: 'Caroline' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'Each changed field with its value before and after; all fields of an object that was created or deleted. Null when no fields were compared',
      }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Further details, such as the reason; null without any', example: { because: 'role.deleted' } }),
    createdAt: timestamp('When it happened'),
    actorName,
    actorEmail,
    targetName,
    targetEmail: z.string().nullable().meta({ description: "The target's address then", example: 'carol@acme.test' }),
    actor: AuditActor.meta({ description: 'The actor in one place: the fields that begin with `actor`' }),
    target: AuditTarget.meta({ description: 'The target in one place: the fields that begin with `target`' }),
    requestId: z.string().nullable().meta({
      description: 'The request that it was part of, as `X-Request-Id` of its response names it; null for the system',
      example: '3f0d1f0e-5b0a-4c55-9a86-0c7a6a0b7f11',
    }),
    signInId: z.string().nullable().meta({
      description:
        'The sign-in that it was part of, or that of its actor, for GET /v1/admin/sign-ins/{id}; null without one, and in entries of earlier releases',
      example: 'sgn_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
  })
  .meta({ component: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditAction = z
  .object({
    action: z.string().meta({ description: 'What the entries say in `action`', example: 'user.created' }),
    targetType: z.enum(actionTargets).meta({ description: 'The kind of object in such entries', example: 'user' }),
    events: z
      .array(z.string())
      .meta({ description: 'The webhook events that report it; none if only the audit log does', example: ['user.created'] }),
    undoRefusal: z.string().nullable().meta({
      description: 'Code of the refusal that undoing such an entry always gets; null where it may succeed',
      example: 'undo-secret-gone',
    }),
  })
  .meta({ component: 'AuditAction' })
export type AuditAction = z.infer<typeof AuditAction>

/** Who changed something last, in refusals and comparisons. */
export const LastChange = z.object({
  at: z.string().meta({ description: 'When', format: 'date-time', example: '2026-01-31T09:30:00.000Z' }),
  action: z.string().meta({ description: 'What happened', example: 'client.updated' }),
  actorType: z.string().meta({ description: 'The kind of caller', example: 'user' }),
  actorId: z.string().nullable().meta({ description: 'Id of the caller', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  actorName: z.string().nullable().meta({ description: 'Name of the caller at that time', example: 'Olive Owner' }),
  actorEmail: z.string().nullable().meta({ description: 'E-mail address of the caller', example: 'olive@acme.test' }),
})

export const AuditPage = recordPageOf(AuditEntry)
