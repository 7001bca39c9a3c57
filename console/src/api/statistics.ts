import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'

/** The number of records of each kind. A group is absent for users who may not read it. */
export const statisticsQuery = queryOptions({
  queryKey: ['statistics'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/statistics', { signal })),
  staleTime: 60_000,
})

export const useStatistics = () => useQuery(statisticsQuery).data
