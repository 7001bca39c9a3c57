import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Role = components['schemas']['Role']
export type RoleImpact = components['schemas']['RoleImpact']

/** The slug of the role with every permission, which cannot be changed or deleted. */
export const ownerSlug = 'owner'

/** One role, with the tag of the response for If-Match. */
export const roleQuery = (id: string) =>
  queryOptions({
    queryKey: ['roles', id],
    queryFn: ({ signal }) => readRole(id, signal),
  })

export const readRole = (id: string, signal?: AbortSignal) =>
  answerWithTag(api.GET('/v1/admin/roles/{id}', { params: { path: { id } }, ...(signal && { signal }) }))

/** The role of new users when none is chosen, among the first hundred. */
export const defaultRoleQuery = queryOptions({
  queryKey: ['roles', 'default'],
  queryFn: async ({ signal }) => {
    const { data } = await answerOf(api.GET('/v1/admin/roles', { params: { query: { limit: 100 } }, signal }))
    return data.find(({ isDefault }) => isDefault) ?? null
  },
  staleTime: 60_000,
})
