import { z } from 'zod'
import { limit, text } from '../platform/http/fields.ts'

export const SearchQuery = z.object({
  q: text().min(1).meta({ description: 'An id, an e-mail address or a part of a name, in any letter case', example: 'carol' }),
  limit: limit(50).default(20).meta({ description: 'Maximum number of records', example: 20 }),
})
export type SearchQuery = z.infer<typeof SearchQuery>

export const SearchResult = z
  .object({
    type: z
      .enum([
        ...(['user', 'team', 'role', 'client', 'webhook', 'connection', 'domain', 'directory', 'setup_link'] as const),
        ...(['resource_server', 'resource_authorization_server', 'api_key'] as const),
      ])
      .meta({ description: 'What kind of record it is', example: 'user' }),
    id: z.string().meta({ description: 'Id of the record', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    title: z.string().meta({ description: 'The name, or the URL of a webhook', example: 'Carol Shaw' }),
    subtitle: z.string().meta({
      description:
        'What distinguishes records of the same name: the e-mail address of a user, the slug of a team or role, the type of a client, ' +
        'the events of a webhook, the slug of a connection, the state of a domain, the protocol of a directory, what a set-up link is for, the identifier of a resource server, the beginning of an API key',
      example: 'carol@acme.test',
    }),
  })
  .meta({ component: 'SearchResult' })
export type SearchResult = z.infer<typeof SearchResult>

export const SearchResults = z
  .object({ data: z.array(SearchResult).meta({ description: 'The records, the nearest first' }) })
  .meta({ component: 'SearchResults' })
