import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { useProfile } from './profile.ts'

/** The organisation of the user, which every member may read. */
export const organisationQuery = queryOptions({
  queryKey: ['organisation'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/organisation', { signal })),
  staleTime: 60_000,
})

export const useOrganisation = () => useQuery(organisationQuery).data

/** Whether no change is possible at present. */
export function useIsReadOnly(): boolean {
  const { status } = useProfile().organisation
  return status === 'suspended' || status === 'cancelled'
}
