import { queryOptions } from '@tanstack/react-query'
import { answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Organisation = components['schemas']['Organisation']
export type OrganisationChanges = components['schemas']['OrganisationChanges']
export type OrganisationWithTag = { body: Organisation; tag: string | undefined }

/** The organisation, with the tag of the response for If-Match. */
export const organisationRecordQuery = queryOptions({
  queryKey: ['organisation', 'record'],
  queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/organisation', { signal })),
})
