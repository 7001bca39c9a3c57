import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import type { components } from './schema.d.ts'

export type SignIn = components['schemas']['SignIn']
export type SignInStep = components['schemas']['SignInStep']

/** A sign-in from its first request to its end. Steps are added until then. */
export const signInQuery = (id: string) =>
  queryOptions({
    queryKey: ['sign-ins', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/sign-ins/{id}', { params: { path: { id } }, signal })),
  })
