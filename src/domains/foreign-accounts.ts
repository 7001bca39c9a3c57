import { sql } from 'kysely'
import type { Database, System } from '../platform/database/database.ts'
import type { ListSource } from '../platform/http/lists.ts'
import type { Domain } from './queries.ts'
import { domainNotFound } from './refusals.ts'

/** Accounts are counted up to this number: otherwise one organisation could make another's lists slow. */
const foreignAccountsMax = 10_000

/** A domain with the number of accounts of other organisations whose address is in it. Null while the domain is not verified. */
export type CountedDomain = Domain & { foreignAccounts: number | null }

/** Counts the accounts that hold such an address, including deleted ones until they are erased. */
export async function countForeignAccounts(database: Database, domains: readonly Domain[]): Promise<CountedDomain[]> {
  const ids = domains.filter(({ status }) => status === 'verified').map(({ id }) => id)
  const counts = ids.length === 0 ? new Map<string, number>() : await countsOf(database.system(), ids)
  return domains.map((domain) => ({ ...domain, foreignAccounts: counts.get(domain.id) ?? null }))
}

/** Counts the same for one domain. */
export async function countForeignAccountsOf(database: Database, domain: Domain): Promise<CountedDomain> {
  const [counted] = await countForeignAccounts(database, [domain])
  return counted as CountedDomain
}

/** Counts the ranges before and after the organisation's own accounts, which may be very many. */
async function countsOf(system: System, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select d.id, (
      select count(*) from (
        (select from users where split_part(email, '@', 2) = d.domain and organisation_id < d.organisation_id limit ${foreignAccountsMax})
        union all
        (select from users where split_part(email, '@', 2) = d.domain and organisation_id > d.organisation_id limit ${foreignAccountsMax})
        limit ${foreignAccountsMax}) as accounts) as count
    from organisation_domains d where d.id = any(${ids}::text[])`.execute(system)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** An account in the domain of another organisation, for the operator. */
export interface ForeignAccount {
  id: string
  email: string
  organisationId: string
  organisationName: string
  createdAt: Date
  deletedAt: Date | null
}

/**
 * The accounts that other organisations have in a domain, ordered by organisation.
 *
 * @throws Problem `not-found`
 */
export async function foreignAccountsOf(system: System, domainId: string): Promise<ListSource<ForeignAccount>> {
  const domain = await system
    .selectFrom('organisationDomains')
    .select(['id', 'organisationId', 'domain'])
    .where('id', '=', domainId)
    .executeTakeFirst()
  if (!domain) throw domainNotFound()
  const accounts = () =>
    system
      .selectFrom('users')
      .innerJoin('organisations', 'organisations.id', 'users.organisationId')
      .where(sql`split_part(users.email, '@', 2)`, '=', domain.domain)
      .where('users.organisationId', '<>', domain.organisationId)
  return {
    page: (limit, after) =>
      accounts()
        .select(['users.id', 'users.email', 'users.organisationId', 'organisations.name as organisationName'])
        .select(['users.createdAt', 'users.deletedAt'])
        .$if(after !== undefined, (query) => {
          const [organisationId, id] = JSON.parse(after ?? '') as [string, string]
          return query.where(sql<boolean>`(users.organisation_id, users.id) > (${organisationId}, ${id})`)
        })
        .orderBy('users.organisationId')
        .orderBy('users.id')
        .limit(limit)
        .execute(),
    count: async () => {
      const { count } = await accounts().select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
      return count
    },
    key: ({ organisationId, id }) => JSON.stringify([organisationId, id]),
  }
}
