import { z } from 'zod'
import { AuditEntry, LastChange } from '../audit/schemas.ts'
import { documentedResponse } from '../platform/http/documented-response.ts'
import { ProblemDetails } from '../platform/http/problem-details.ts'

export const UndoQuery = z.object({
  dryRun: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: '`true` makes the change and rolls it back: the response is the same, and nothing is changed', example: 'true' }),
})

const { action, targetType, targetId, targetName, changes, metadata } = AuditEntry.shape

export const UndoneEntry = z
  .object({
    dryRun: z.boolean().meta({ description: 'Whether nothing was changed', example: false }),
    changes: z
      .array(
        z.object({
          entryId: z.string().nullable().meta({
            description: 'Id of the audit entry that was written for it; null in a dry run',
            example: 'aud_01kahm3z9n4v7f2t8q6w5r1y0x',
          }),
          ...{ action, targetType, targetId, targetName, changes, metadata },
        }),
      )
      .meta({
        description: 'Everything that was recorded, as in the audit log. The entries name the undone one as `undoOf` in `metadata`',
      }),
  })
  .meta({ component: 'UndoneEntry' })
export type UndoneEntry = z.infer<typeof UndoneEntry>

/** The error handler writes this response. */
export const ChangedSince = {
  409: documentedResponse('It is no longer what the entry left, or is gone', {
    'application/problem+json': ProblemDetails.extend({
      conflicts: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A field that is not what the entry left', example: 'phone' }),
            left: z.unknown().meta({ description: 'What the entry left', example: '+44 20 7946 0000' }),
            now: z.unknown().meta({ description: 'What it is now', example: null }),
            lastChange: LastChange.nullable().meta({ description: 'Who changed it since; null if the audit log does not say' }),
          }),
        )
        .optional()
        .meta({ description: 'For `undo-changed-since`: what has changed since' }),
      ended: LastChange.nullable()
        .optional()
        .meta({ description: 'For `undo-record-gone`: who deleted it; null if the audit log does not say' }),
    }),
  }),
}
