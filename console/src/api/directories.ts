import { queryOptions } from '@tanstack/react-query'
import { answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Directory = components['schemas']['Directory']
export type DirectoryRequest = components['schemas']['DirectoryRequest']

/** One directory, with the tag of the response for If-Match. */
export const directoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['directories', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/directories/{id}', { params: { path: { id } }, signal })),
  })
