import { queryOptions } from '@tanstack/react-query'
import { answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type ApiKey = components['schemas']['ApiKey']

/** One API key, with the tag of the response for If-Match. */
export const apiKeyQuery = (id: string) =>
  queryOptions({
    queryKey: ['api-keys', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/api-keys/{id}', { params: { path: { id } }, signal })),
  })
