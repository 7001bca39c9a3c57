import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** All of them: an organisation has at most 50. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/connections', { params: { query: { limit: 100 } }, signal })),
  staleTime: 30_000,
})
