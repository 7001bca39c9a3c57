import { z } from 'zod'
import { AuditEntry } from '../../audit/schemas.ts'
import { plainText, storable } from '../../platform/http/fields.ts'
import { methods } from '../schemas.ts'

const pathMax = 4_096
const headersMax = 50

export const RequestToTry = z.object({
  method: z.enum(methods).meta({ description: 'The method', example: 'PATCH' }),
  path: plainText().min(1).max(pathMax).meta({
    description: 'What follows the base URL, with its query, or the whole address',
    example: '/Users?filter=userName eq "ada@acme.test"',
  }),
  headers: storable(z.record(z.string().max(255), z.string().max(pathMax)))
    .refine((headers) => Object.keys(headers).length <= headersMax, `At most ${headersMax} headers`)
    .default({})
    .meta({
      description: 'Its headers, of which `If-Match` and `If-None-Match` matter. A token is not needed',
      example: { 'If-Match': 'W/"3"' },
    }),
  body: z
    .unknown()
    .optional()
    .meta({ description: 'Its body', example: { Operations: [{ op: 'replace', path: 'active', value: false }] } }),
})
export type RequestToTry = z.infer<typeof RequestToTry>

const { action, targetType, targetId, targetName, changes, metadata } = AuditEntry.shape

export const TriedRequest = z
  .object({
    response: z
      .object({
        status: z.number().int().meta({ description: 'Its status', example: 200 }),
        headers: z.record(z.string(), z.string()).meta({ description: 'Its headers', example: { etag: 'W/"4"' } }),
        body: z
          .record(z.string(), z.unknown())
          .nullable()
          .meta({ description: 'Its body; null without one', example: { totalResults: 0 } }),
      })
      .meta({ description: 'What the directory would get as its response' }),
    changes: z
      .array(z.object({ action, targetType, targetId, targetName, changes, metadata }))
      .meta({ description: 'What the audit log would record, at most 200 entries. Ids of new records are made up' }),
    changesTotal: z.number().int().meta({ description: 'How many entries the audit log would record', example: 1 }),
  })
  .meta({ component: 'TriedRequest' })
export type TriedRequest = z.infer<typeof TriedRequest>
