import { queryOptions } from '@tanstack/react-query'
import { answerOf, answerWithTag, api } from './client.ts'
import type { components } from './schema.d.ts'

export type Domain = components['schemas']['Domain']

/** The domain as in the DNS, with its Unicode form if they differ: the latter alone could be mistaken for another domain. */
export const nameOfDomain = ({ domain, unicodeDomain }: Domain) => (domain === unicodeDomain ? domain : `${domain} (${unicodeDomain})`)

/** All domains: an organisation has at most 100. */
export const domainsQuery = queryOptions({
  queryKey: ['domains', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/domains', { params: { query: { limit: 100 } }, signal })),
})

/** One domain, with the tag of the response for If-Match. */
export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id],
    queryFn: ({ signal }) => answerWithTag(api.GET('/v1/admin/domains/{id}', { params: { path: { id } }, signal })),
  })
