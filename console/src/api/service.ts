import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** The configuration of the service, which does not change while it runs. */
export const serviceQuery = queryOptions({
  queryKey: ['service'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/service', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
