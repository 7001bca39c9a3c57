import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { Problem } from './problem.ts'
import type { components } from './schema.d.ts'

export type Domain = components['schemas']['Domain']

/** The domain as in the DNS, with its Unicode form if they differ: the latter alone could be mistaken for another domain. */
export const nameOfDomain = ({ domain, unicodeDomain }: Domain) => (domain === unicodeDomain ? domain : `${domain} (${unicodeDomain})`)

/** All domains: an organisation has at most 100. */
export const domainsQuery = queryOptions({
  queryKey: ['domains', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/domains', { params: { query: { limit: 100 } }, signal })),
})

/** One domain from the list: the API has no call for a single one. */
export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id],
    queryFn: async ({ signal }) => {
      const { data } = await answerOf(api.GET('/v1/admin/domains', { params: { query: { limit: 100 } }, signal }))
      const domain = data.find((one) => one.id === id)
      if (!domain) throw new Problem({ code: 'domain-not-found' }, { status: 404, headers: new Headers() })
      return domain
    },
  })
