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

const documentTime = (description: string) =>
  timestamp()
    .nullable()
    .meta({ description: `${description}; null for a client that has none`, example: '2026-01-31T09:30:00.000Z' })

export const StoredClientDocument = z
  .object({
    address: z.string().nullable().meta({
      description: 'Its address, which is the `client_id`; null for a client that has no document',
      example: 'https://agent.example/oauth/client.json',
    }),
    fetchedAt: documentTime('When it was read last'),
    expiresAt: documentTime('Until when it serves without being read anew'),
    failingSince: timestamp().nullable().meta({
      description: 'Since when it cannot be read, or is no document that can be used; null while it can',
      example: '2026-01-31T09:30:00.000Z',
    }),
  })
  .meta({ component: 'StoredClientDocument' })
export type StoredClientDocument = z.infer<typeof StoredClientDocument>

export const FailingClientDocuments = z
  .object({
    data: z
      .array(
        z.object({
          clientId: recordId('cli', 'Id of the client'),
          failingSince: timestamp('Since when its document cannot be read'),
        }),
      )
      .meta({ description: 'Those clients, in the order of their ids' }),
  })
  .meta({ component: 'FailingClientDocuments' })
export type FailingClientDocuments = z.infer<typeof FailingClientDocuments>
