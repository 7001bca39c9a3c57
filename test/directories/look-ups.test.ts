import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/platform/database/postgres.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { onServer } from '../support/database-server.ts'
import { filter, type GivenDirectory, givenDirectory, operations } from '../support/directories.ts'
import { type RecordedStatement, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const managed = 2_000
const users = 4_000

/** A node of a plan that has run. */
interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
const rowsOf = ({ 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 }: PlanNode) => (rows + removed) * loops

describe.runIf(databaseKind() === 'postgres')('on PostgreSQL, a user of many', () => {
  let service: TestService
  let directory: GivenDirectory
  let statements: RecordedStatement[]
  let mostRowsOf: (statement: RecordedStatement) => Promise<number>

  beforeAll(async () => {
    const url = await freshPostgresUrl()
    const engine = recordingEngine(openPostgres(url, { poolSize: 10 }))
    statements = engine.statements
    service = await startTestService({ engine })
    directory = await givenDirectory(service)
    const { id, organisation, domain } = directory
    await engine.ownerTransaction(async (transaction) => {
      const run = (text: string) => transaction.execute(CompiledQuery.raw(text))
      await run('set local session_replication_role = replica')
      await run(`
        insert into users (organisation_id, id, email, first_name, last_name, mfa_enabled, created_at, updated_at)
        select '${organisation.id}', 'usr_' || n, 'user' || n || '@${domain}', 'First', 'Last', false, now(), now() from generate_series(1, ${users}) n`)
      await run(`
        insert into directory_users (organisation_id, directory_id, user_id, user_name, external_id, attributes, created_at, updated_at)
        select '${organisation.id}', '${id}', 'usr_' || n, 'User' || n || '@${domain}', 'ext-' || n,
          json_build_object('emails', json_build_array(json_build_object('value', 'User' || n || '@${domain}', 'type', 'work')))::jsonb, now(), now()
        from generate_series(1, ${managed}) n`)
    })
    await onServer(url, 'vacuum analyze')
    mostRowsOf = ({ query, setUp }) =>
      engine.transaction(async (transaction) => {
        const { rows } = await transaction.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          CompiledQuery.raw(`explain (analyze, format json) ${query.sql}`, [...query.parameters]),
        )
        return Math.max(...nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan).map(rowsOf))
      }, setUp)
  })
  afterAll(() => service?.stop())

  it.each([
    ['userName', 'userName eq "USER7@{domain}"'],
    ['the address of one who is not managed', 'userName eq "user3000@{domain}"'],
    ['externalId', 'externalId eq "ext-7"'],
    ['id', 'id eq "usr_7"'],
    ['an address', 'emails.value eq "user7@{domain}"'],
    ['an address of a kind', 'emails[type eq "work"].value eq "user7@{domain}"'],
    ['an address among conditions', 'active eq true and emails[type eq "work" and value eq "user7@{domain}"]'],
  ])('is looked up by %s without reading the others', async (_, text) => {
    statements.length = 0
    const { body } = await directory.scim.get(`/Users${filter(text.replace('{domain}', directory.domain))}`)
    expect(body).toMatchObject({ totalResults: 1 })
    const reads = statements.filter(({ query, setUp }) => setUp && query.sql.includes('from users u'))
    expect(reads).not.toEqual([])
    for (const read of reads) expect(await mostRowsOf(read)).toBeLessThan(20)
  })

  it('is looked up by each of their names when they are sent again', async () => {
    statements.length = 0
    const body = { userName: `user7@${directory.domain}`, externalId: 'ext-7', emails: [{ value: `user7@${directory.domain}` }] }
    expect(await directory.scim.post('/Users', body)).toMatchObject({ status: 409 })
    const reads = statements.filter(({ query }) => query.sql.includes('by_user_name'))
    expect(reads).toHaveLength(1)
    for (const read of reads) expect(await mostRowsOf(read)).toBeLessThan(20)
  })

  it('costs no further statement as one of a hundred who join a group together, instead of ten', async () => {
    const statementsFor = async (first: number, count: number) => {
      const { body: group } = await directory.scim.post('/Groups', { displayName: `From ${first}` })
      await service.settled()
      statements.length = 0
      const value = Array.from({ length: count }, (_, place) => ({ value: `usr_${first + place}` }))
      expect(await directory.scim.patch(`/Groups/${group.id}`, operations({ op: 'add', path: 'members', value }))).toMatchObject({
        status: 204,
      })
      const ran = statements.map(({ query }) => query.sql).filter((text) => text.includes('directory_') || text.includes('team_member'))
      expect((await directory.scim.get(`/Groups/${group.id}`)).body.members).toHaveLength(count)
      return ran.length
    }
    const ofTen = await statementsFor(100, 10)
    expect(ofTen).toBeGreaterThan(3)
    expect(await statementsFor(200, 100)).toBe(ofTen)
  })
})
