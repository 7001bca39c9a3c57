import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { useProfile } from './profile.ts'

/** The organisation of the person, which everybody in it may read. */
export const organisationQuery = queryOptions({
  queryKey: ['organisation'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/organisation', { signal })),
  staleTime: 60_000,
})

export const useOrganisation = () => useQuery(organisationQuery).data

/** Why nothing can be changed at all at present; undefined when it can. */
export function useIsReadOnly(): boolean {
  const { status } = useProfile().organisation
  return status === 'suspended' || status === 'cancelled'
}
