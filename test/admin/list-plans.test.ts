import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import type { SignedInUser } from '../support/given.ts'
import { type RecordedStatement, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const rowCount = 100_000

/** The lists that grow with an organisation, and their parameters. */
const lists = [
  { path: '/v1/admin/users', table: 'users', sorts: ['createdAt', 'name', 'email', 'lastLoginAt'], q: 'name 4242' },
  { path: '/v1/admin/roles', table: 'roles', sorts: ['createdAt', 'name', 'slug'], q: 'name 4242' },
  { path: '/v1/admin/teams', table: 'teams', sorts: ['createdAt', 'name', 'slug'], q: 'name 4242' },
  { path: '/v1/admin/invitations', table: 'invitations', sorts: ['createdAt', 'email', 'expiresAt'], q: 'mail-4242' },
  { path: '/v1/admin/clients', table: 'clients', sorts: ['createdAt', 'name'], q: 'name 4242' },
  { path: '/v1/admin/api-keys', table: 'api_keys', sorts: ['createdAt', 'name'], q: 'name 4242' },
]

/** The filters of the list of users, with roles and teams of few and of many users. */
const userFilters = (first: string) => [
  `roleId=rol_${second(first)}`,
  `roleId=rol_${first}`,
  `teamId=tem_${second(first)}`,
  `teamId=tem_${first}`,
  'permission=users:read',
  'status=active',
  'status=blocked',
  'status=unverified',
  'status=never_signed_in',
  'status=deleted',
  'emailDomain=example.test',
  'mfaEnabled=true',
  'createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-03T00:00:00Z',
  'lastLoginBefore=2026-01-02T00:00:00Z',
  `roleId=rol_${first}&status=blocked&q=${encodeURIComponent('name 4242')}`,
]
const second = (first: string) => String(Number(first) + 1).padStart(26, '0')
const firstOf = (parts: number) => String((Math.floor(parts / 2) * rowCount) / parts + 1).padStart(26, '0')

/** The filters that find a few of very many users, and the index that they must use. */
const selective = (first: string) => [
  [`roleId=rol_${second(first)}`, 'user_roles', 'role_id = '],
  [`teamId=tem_${second(first)}`, 'team_members', 'team_id = '],
  ['status=blocked', 'users', 'organisation_id = '],
]

const shares = [
  { share: 'a fifth of', parts: 5 },
  { share: 'all of', parts: 1 },
]

describe.runIf(databaseKind() === 'postgres').each(shares)(
  'on PostgreSQL, for an organisation with $share 100,000 records,',
  ({ parts }) => {
    let service: TestService
    let owner: SignedInUser
    let statements: RecordedStatement[]
    let explain: (statement: RecordedStatement) => Promise<Plan>

    beforeAll(async () => {
      const url = await freshPostgresUrl()
      const engine = recordingEngine(openPostgres(url, { poolSize: 10 }))
      statements = engine.statements
      service = await startTestService({ engine })
      const organisation = await service.given.organisation()
      owner = organisation.owner
      await engine.ownerTransaction(async (transaction) => {
        const run = async (statement: string) => (await transaction.execute<Record<string, string>>(CompiledQuery.raw(statement))).rows
        // Skipping the checks of references and creating indexes at the end saves two thirds of the time.
        await run('set local session_replication_role = replica')
        const indexes = await run(plainIndexes)
        for (const { name } of indexes) await run(`drop index ${name}`)
        for (const statement of fill(organisation.id, parts)) await run(statement)
        for (const { definition } of indexes) await run(definition as string)
      })
      for (const { table } of [...lists, { table: 'user_roles' }, { table: 'team_members' }]) await onServer(url, `vacuum analyze ${table}`)
      explain = ({ query, setUp }) =>
        engine.transaction(async (transaction) => {
          const { rows } = await transaction.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            CompiledQuery.raw(`explain (format json) ${query.sql}`, [...query.parameters]),
          )
          return (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan
        }, setUp)
    })
    afterAll(() => service?.stop())

    /** The statements of a list, which run with the organisation's role. */
    async function statementsOf(path: string): Promise<RecordedStatement[]> {
      statements.length = 0
      expect(await owner.get(path)).toMatchObject({ status: 200 })
      return statements.filter(({ query, setUp, ofRequest }) => setUp && ofRequest && !query.sql.startsWith('update'))
    }
    const isCount = ({ query }: RecordedStatement) => query.sql.startsWith('select count(*)')

    /** The plan of the statement that reads a page; its `total` is not counted. */
    async function planOf(path: string): Promise<Plan> {
      const [read, total, ...others] = await statementsOf(path)
      expect(total?.query.sql).toContain('record_counts')
      expect(others).toEqual([])
      return explain(read as RecordedStatement)
    }

    /** The plans of both statements of a search, whose `total` is counted. */
    async function plansOf(path: string): Promise<{ read: Plan; count: Plan }> {
      const own = await statementsOf(path)
      expect(own).toHaveLength(2)
      const [read, count] = [own.find((statement) => !isCount(statement)), own.find(isCount)] as [RecordedStatement, RecordedStatement]
      return { read: await explain(read), count: await explain(count) }
    }

    it.each(userFilters(firstOf(parts)))('/v1/admin/users?%s is read and counted by indexes', async (filter) => {
      for (const sort of ['createdAt', '-name']) {
        const { read, count } = await plansOf(`/v1/admin/users?${filter}&sort=${sort}&limit=50`)
        expect(nodesOf(read, 'Seq Scan').filter((scan) => scan['Relation Name'] === 'users')).toEqual([])
        if (parts > 1) expect(nodesOf(count, 'Seq Scan').filter((scan) => scan['Relation Name'] === 'users')).toEqual([])
      }
    })

    it.each(selective(firstOf(parts)))('/v1/admin/users?%s reads no user who is not among the few', async (filter, table, condition) => {
      for (const sort of ['createdAt', '-name']) {
        const { read, count } = await plansOf(`/v1/admin/users?${filter}&sort=${sort}&limit=50`)
        for (const plan of [read, count]) {
          const scans = nodesOf(plan, 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan', 'Bitmap Heap Scan')
          const [outer] = scans.filter((scan) => scan['Relation Name'] === table || scan['Index Name']?.startsWith(table))
          expect(outer?.['Index Cond'] ?? scans.map((scan) => scan['Index Cond']).join()).toContain(condition)
          expect(Math.max(...scans.map((scan) => scan['Plan Rows']))).toBeLessThan(2_000)
        }
      }
    })

    it.each(['users', 'roles', 'teams'])(
      '/v1/admin/%s, whose records contain others, is planned once for pages of any length',
      async (list) => {
        const limit = 20
        const [read] = await statementsOf(`/v1/admin/${list}?limit=${limit}`)
        const { query, setUp } = read as RecordedStatement
        const given = query.parameters.map((value) => (value instanceof Date ? `'${value.toISOString()}'` : Number(value)))
        expect(given.at(-1)).toBe(limit + 1)

        const plans = await service.engine.transaction(async (transaction) => {
          const run = (text: string) => transaction.execute<{ count: number }>(CompiledQuery.raw(text))
          // As on a server with the settings that it comes with.
          await run('set local plan_cache_mode = auto')
          await run(`prepare page as ${query.sql}`)
          // PostgreSQL plans a statement five times before it reuses a plan, if that costs no more.
          for (let time = 0; time < 7; time++) await run(`explain execute page (${given.join(', ')})`)
          const { rows } = await run(`select custom_plans as count from pg_prepared_statements where name = 'page'`)
          await run('deallocate page')
          return rows[0]?.count
        }, setUp)

        expect(plans).toBe(5)
      },
    )

    for (const { path, table, sorts, q } of lists) {
      it.each(sorts.slice(1))(`${path} is read by the organisation's own part of the index of %s`, async (sort) => {
        const read = await planOf(`${path}?sort=${sort}&limit=50`)
        const scans = nodesOf(read, 'Index Scan').filter((scan) => scan['Relation Name'] === table)
        expect(scans.map((scan) => scan['Index Cond'])).toEqual([expect.stringContaining('organisation_id = ')])
      })

      const orders = sorts.flatMap((sort) => [sort, `-${sort}`])
      it.each(orders)(`${path} is read in the order of %s by an index`, async (sort) => {
        const { nextCursor } = (await owner.get(`${path}?sort=${sort}&limit=50`)).body
        for (const page of ['', `&cursor=${nextCursor}`]) {
          const read = await planOf(`${path}?sort=${sort}&limit=50${page}`)
          expect(nodesOf(read, 'Seq Scan', 'Sort', 'Bitmap Heap Scan')).toEqual([])
        }
      })

      it.each(['createdAt', `-${sorts[1]}`])(`${path} is searched by indexes in the order of %s`, async (sort) => {
        const few = await plansOf(`${path}?sort=${sort}&limit=50&q=${encodeURIComponent(q)}`)
        // It reads only the matching range: the range is a condition of the index, not a filter.
        for (const plan of [few.read, few.count]) {
          const scans = nodesOf(plan, 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan')
          expect(scans.map((scan) => scan['Index Cond'])).toContainEqual(expect.stringMatching(/(name_key|email) >= /))
        }
        for (const asked of [q, 'n', 'mail', 'nothing like it']) {
          const { read, count } = await plansOf(`${path}?sort=${sort}&limit=50&q=${encodeURIComponent(asked)}`)
          expect(nodesOf(read, 'Seq Scan')).toEqual([])
          // When all records begin with the letter, counting them reads the whole table.
          if (parts > 1) expect(nodesOf(count, 'Seq Scan')).toEqual([])
        }
      })
    }
  },
)

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Parent Relationship'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Plan Rows': number
  Plans?: Plan[]
}

/** The nodes of these types in a plan, without those of the subqueries for each record. */
function nodesOf(plan: Plan, ...types: string[]): Plan[] {
  const inner = (plan.Plans ?? []).filter((child) => child['Parent Relationship'] !== 'SubPlan')
  return [...(types.includes(plan['Node Type']) ? [plan] : []), ...inner.flatMap((child) => nodesOf(child, ...types))]
}

/** The indexes of these tables that no constraint rests on. */
const plainIndexes = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
  from pg_index
  where indrelid = any('{${[...lists.map(({ table }) => table), 'user_roles', 'team_members']}}'::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`

/**
 * The statements that fill the tables, with an equal part for each organisation. They bypass the API, which would take hours.
 */
function fill(organisationId: string, parts: number): string[] {
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`
  const at = `timestamptz '2026-01-01' + n * interval '1 minute'`
  const named = `'Name ' || n`
  const part = `(n - 1) / ${rowCount / parts}`
  const own = `case ${part} when ${Math.floor(parts / 2)} then '${organisationId}' else 'org_' || ${part} end`
  const from = `from generate_series(1, ${rowCount}) n`
  // The first role and team of an organisation have all its users, the second every thousandth.
  const fewAndMany = (prefix: string) => `'${prefix}_' || lpad((${part} * ${rowCount / parts} + place)::text, 26, '0')`
  const fewAndManyOf = `generate_series(1, case when n % 1000 = 0 then 2 else 1 end) place`
  return [
    `insert into organisations (id, slug, name, email, created_at, updated_at)
     select 'org_' || n, 'org-' || n, 'Org ' || n, n || '@example.test', now(), now() from generate_series(0, 5) n`,
    `insert into users
       (organisation_id, id, email, first_name, last_name, last_login_at, blocked_at, email_verified_at, created_at, updated_at)
     select ${own}, ${id('usr')}, 'mail-' || n || '@example.test', 'Name', n::text, case when n % 3 > 0 then ${at} end,
       case when n % 1000 = 500 then now() end, case when n % 10 > 0 then now() end, ${at}, ${at} ${from}`,
    `insert into user_roles (organisation_id, role_id, user_id, created_at)
     select ${own}, ${fewAndMany('rol')}, ${id('usr')}, ${at} ${from}, ${fewAndManyOf}`,
    `insert into team_members (organisation_id, team_id, user_id, created_at)
     select ${own}, ${fewAndMany('tem')}, ${id('usr')}, ${at} ${from}, ${fewAndManyOf}`,
    ...['roles', 'teams'].map(
      (table) => `insert into ${table} (organisation_id, id, name, slug, created_at, updated_at)
        select ${own}, ${id(table === 'roles' ? 'rol' : 'tem')}, ${named}, 'slug-' || n, ${at}, ${at} ${from}`,
    ),
    `insert into invitations (organisation_id, id, email, token_hash, invited_by_id, expires_in_days, expires_at, created_at, updated_at)
     select ${own}, ${id('inv')}, 'mail-' || n || '@example.test', 'hash-' || n, ${id('usr')}, 7, ${at} + interval '7 days', ${at}, ${at} ${from}`,
    `insert into clients (organisation_id, id, name, client_type, token_endpoint_auth_method, grant_types, created_at, updated_at)
     select ${own}, ${id('cli')}, ${named}, 'public', 'none', '{authorization_code}', ${at}, ${at} ${from}`,
    `insert into api_keys (organisation_id, id, name, prefix, key_hash, permissions, created_by_id, created_at)
     select ${own}, ${id('key')}, ${named}, 'ak_12345678', 'hash-' || n, '{}', ${id('usr')}, ${at} ${from}`,
  ]
}
