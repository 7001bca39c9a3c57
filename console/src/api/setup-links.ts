import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { Problem } from './problem.ts'
import type { components } from './schema.d.ts'

export type SetupLink = components['schemas']['SetupLink']

const whileOpenMilliseconds = 10_000

/** One link from all pages of the list: the API has no call for a single one. It is read again while its visitor may be at work. */
export const setupLinkQuery = (id: string) =>
  queryOptions({
    queryKey: ['setup-links', id],
    queryFn: async ({ signal }) => {
      let cursor: string | undefined
      do {
        const query = { limit: 1000, ...(cursor && { cursor }) }
        const { data, nextCursor } = await answerOf(api.GET('/v1/admin/setup-links', { params: { query }, signal }))
        const link = data.find((one) => one.id === id)
        if (link) return link
        cursor = nextCursor ?? undefined
      } while (cursor)
      throw new Problem({ code: 'setup-link-not-found' }, { status: 404, headers: new Headers() })
    },
    refetchInterval: ({ state }) => (state.data?.state === 'open' || state.data?.state === 'in_use' ? whileOpenMilliseconds : false),
  })
