import { queryOptions } from '@tanstack/react-query'
import { answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Team = components['schemas']['ListedTeam']

/** One team, with the tag of the response for If-Match. */
export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ['teams', id],
    queryFn: ({ signal }) => readTeam(id, signal),
  })

export const readTeam = (id: string, signal?: AbortSignal) =>
  answerWithTag(api.GET('/v1/admin/teams/{id}', { params: { path: { id }, query: { members: 'false' } }, ...(signal && { signal }) }))
