import { queryOptions } from '@tanstack/react-query'
import { answerOf, api } from './client.ts'
import { Problem } from './problem.ts'
import type { components } from './schema.d.ts'

export type Domain = components['schemas']['Domain']

/** The domain as the DNS has it, and its own letters beside when these are others: they alone could be taken for those of another domain. */
export const nameOfDomain = ({ domain, unicodeDomain }: Domain) => (domain === unicodeDomain ? domain : `${domain} (${unicodeDomain})`)

/** All of them: an organisation has at most 100. */
export const domainsQuery = queryOptions({
  queryKey: ['domains', 'all'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/domains', { params: { query: { limit: 100 } }, signal })),
})

/** One of the domains: the API has no call for a single one. */
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
