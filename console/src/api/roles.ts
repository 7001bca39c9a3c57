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

/** The role of new users when none is chosen. */
export const defaultRoleQuery = queryOptions({
  queryKey: ['roles', 'default'],
  queryFn: async ({ signal }) => {
    let cursor: string | undefined
    do {
      // Few organisations have more than a hundred roles, and most have one of the oldest as their default.
      const query = cursor ? { limit: 1000, cursor } : { limit: 100 }
      const { data, nextCursor } = await answerOf(api.GET('/v1/admin/roles', { params: { query }, signal }))
      const role = data.find(({ isDefault }) => isDefault)
      if (role) return role
      cursor = nextCursor ?? undefined
    } while (cursor)
    return null
  },
  staleTime: 60_000,
})
