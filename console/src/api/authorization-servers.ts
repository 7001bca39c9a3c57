import { queryOptions } from '@tanstack/react-query'
import { answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

/** An authorization server of another company, with what our applications may do at its APIs. */
export type AuthorizationServer = components['schemas']['ResourceAuthorizationServer']

/** One of them, with the tag of the response for If-Match. */
export const authorizationServerQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource-authorization-servers', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/resource-authorization-servers/{id}', { params: { path: { id } }, signal })),
  })
