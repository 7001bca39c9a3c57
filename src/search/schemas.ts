import { z } from 'zod'
import { type KindWith, kinds } from '../../shared/kinds.ts'
import { limit, text } from '../platform/http/fields.ts'

export const SearchQuery = z.object({
  q: text().min(1).meta({ description: 'An id, an e-mail address or a part of a name, in any letter case', example: 'carol' }),
  limit: limit(50).default(20).meta({ description: 'Maximum number of records', example: 20 }),
})
export type SearchQuery = z.infer<typeof SearchQuery>

/** The kinds that the search finds: equally close records are listed in their order. */
export const searchedKinds = (Object.keys(kinds) as KindWith<'search'>[]).filter((name) => 'search' in kinds[name])

const subtitles = searchedKinds.flatMap((name) => {
  const { search } = kinds[name]
  return 'subtitleIs' in search ? [search.subtitleIs] : []
})

export const SearchResult = z
  .object({
    type: z.enum(searchedKinds).meta({ description: 'What kind of record it is', example: 'user' }),
    id: z.string().meta({ description: 'Id of the record', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    title: z.string().meta({ description: 'The name, or the URL of a webhook', example: 'Carol Shaw' }),
    subtitle: z.string().meta({
      description: `What distinguishes records of the same name: ${subtitles.join(', ')}`,
      example: 'carol@acme.test',
    }),
  })
  .meta({ component: 'SearchResult' })
export type SearchResult = z.infer<typeof SearchResult>

export const SearchResults = z
  .object({ data: z.array(SearchResult).meta({ description: 'The records, the nearest first' }) })
  .meta({ component: 'SearchResults' })
