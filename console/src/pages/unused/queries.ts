import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'

/** The number of records of a kind that are read, the oldest first: new ones cannot have been unused for long. */
export const lookedAt = 500

const oldest = { limit: lookedAt, sort: 'createdAt' } as const

export const rolesQuery = queryOptions({
  queryKey: ['roles', 'unused'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/roles', { params: { query: oldest }, signal })),
})

export const oldestKeysQuery = queryOptions({
  queryKey: ['api-keys', 'unused'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/api-keys', { params: { query: oldest }, signal })),
})

export const oldestClientsQuery = queryOptions({
  queryKey: ['clients', 'unused'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/clients', { params: { query: oldest }, signal })),
})

export const neverSignedInQuery = queryOptions({
  queryKey: ['users', 'unused'],
  queryFn: ({ signal }) =>
    answerOf(api.GET('/v1/admin/users', { params: { query: { status: 'never_signed_in', limit: 5, sort: 'createdAt' } }, signal })),
})
