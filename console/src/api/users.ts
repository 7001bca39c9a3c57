import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type UserDetails = components['schemas']['UserDetails']

/** One user, with the tag of the response for If-Match. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/users/{id}', { params: { path: { id } }, signal })),
  })

/** The passkeys of a user. There are at most twenty. */
export const userPasskeysQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'passkeys'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users/{id}/passkeys', { params: { path: { id } }, signal })),
  })

/** The accounts at identity providers that sign a user in. */
export const userIdentitiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'identities'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/admin/users/{id}/identities', { params: { path: { id }, query: { limit: 100 } }, signal })),
  })

export const userPermissionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'permissions'],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users/{id}/permissions', { params: { path: { id } }, signal })),
  })

export const readSessions = (id: string, query: { limit: number; cursor?: string | undefined }, signal: AbortSignal) =>
  answerOf(api.GET('/v1/admin/users/{id}/sessions', { params: { path: { id }, query }, signal }))

/** What would end with the access of a user. */
export const userImpactQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id, 'impact'],
    // A question names what is so when it is asked.
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/users/{id}/impact', { params: { path: { id } }, signal })),
  })
