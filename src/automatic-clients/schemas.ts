import { z } from 'zod'
import { documentHostExpected } from '../organisations/refusals.ts'
import { isDocumentHost } from '../organisations/rules.ts'
import { checked } from '../organisations/schemas.ts'
import { lines, plainText, recordId, timestamp } from '../platform/http/fields.ts'

const host = checked(plainText().min(1).max(255), (value) => (isDocumentHost(value) ? undefined : documentHostExpected([])))

export const NewBlockedHost = z
  .object({
    host: host.meta({ description: 'Host of client ID metadata documents, with its port unless that is 443', example: 'agent.example' }),
    reason: lines().nullable().default(null).meta({ description: 'Why, for those who read it later', example: 'Reads more than it says' }),
  })
  .meta({ component: 'NewBlockedClientHost' })
export type NewBlockedHost = z.infer<typeof NewBlockedHost>

export const BlockedHostRecord = z
  .object({
    id: recordId('bch'),
    host: z.string().meta({ description: 'Host whose documents are refused', example: 'agent.example' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is blocked; null when no reason was given', example: 'Reads more than it says' }),
    createdById: z.string().nullable().meta({
      description: 'Id of the user who has blocked it; null when it was an API key',
      example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    createdAt: timestamp('When it was blocked'),
  })
  .meta({ component: 'BlockedClientHost' })
export type BlockedHostRecord = z.infer<typeof BlockedHostRecord>
