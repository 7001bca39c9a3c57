import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Permission = components['schemas']['GrantablePermission']

/** All permissions, with those that the user may grant. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/permissions', { params: { query: { limit: 1000 } }, signal })),
  staleTime: 60_000,
})
