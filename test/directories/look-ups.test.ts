import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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

/** A service on a database of its own that records its statements, and a directory with users whom it manages, and others. */
async function givenManyUsers() {
  const url = await freshPostgresUrl()
  const engine = recordingEngine(openPostgres(url, { poolSize: 10 }))
  const service = await startTestService({ engine })
  const directory = await givenDirectory(service)
  const { id, organisation, domain } = directory
  const fill = (...texts: string[]) =>
    engine.ownerTransaction(async (transaction) => {
      for (const text of ['set local session_replication_role = replica', ...texts]) await transaction.execute(CompiledQuery.raw(text))
    })
  await fill(
    `insert into users (organisation_id, id, email, first_name, last_name, mfa_enabled, created_at, updated_at)
     select '${organisation.id}', 'usr_' || n, 'user' || n || '@${domain}', 'First ' || n, 'Last ' || n, false, now(), now() from generate_series(1, ${users}) n`,
    `insert into directory_users (organisation_id, directory_id, user_id, user_name, external_id, attributes, created_at, updated_at)
     select '${organisation.id}', '${id}', 'usr_' || n, 'User' || n || '@${domain}', 'ext-' || n,
       json_build_object('emails', json_build_array(json_build_object('value', 'User' || n || '@${domain}', 'type', 'work')))::jsonb, now(), now()
     from generate_series(1, ${managed}) n`,
  )
  const mostRowsOf = ({ query, setUp }: RecordedStatement) =>
    engine.transaction(async (transaction) => {
      const { rows } = await transaction.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        CompiledQuery.raw(`explain (analyze, format json) ${query.sql}`, [...query.parameters]),
      )
      return Math.max(...nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan).map(rowsOf))
    }, setUp)
  return { url, service, directory, statements: engine.statements, fill, mostRowsOf }
}

describe.runIf(databaseKind() === 'postgres')('on PostgreSQL, a user of many', () => {
  let service: TestService
  let directory: GivenDirectory
  let statements: RecordedStatement[]
  let mostRowsOf: (statement: RecordedStatement) => Promise<number>

  beforeAll(async () => {
    const given = await givenManyUsers()
    ;({ service, directory, statements, mostRowsOf } = given)
    await onServer(given.url, 'vacuum analyze')
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

// Until a first synchronisation has been analysed, PostgreSQL believes the tables small. It read all users once for each member.
it.runIf(databaseKind() === 'postgres')(
  'on PostgreSQL, members join and leave by what is held of them, before any table was analysed',
  async () => {
    const { service, directory, statements, fill, mostRowsOf } = await givenManyUsers()
    onTestFinished(() => service.stop())
    const [groups, groupsOfUser, joining] = [60, 10, 100]
    const ofUser = `cross join lateral (select 1 + (n + step) % ${groups} as place from generate_series(1, ${groupsOfUser}) step) g`
    const { organisation, id } = directory
    await fill(
      `insert into teams (organisation_id, id, name, slug, created_at, updated_at)
     select '${organisation.id}', 'tem_' || n, 'Team ' || n, 'team-' || n, now(), now() from generate_series(1, ${groups}) n`,
      `insert into directory_groups (organisation_id, directory_id, id, display_name, external_id, team_id, created_team, created_at, updated_at)
     select '${organisation.id}', '${id}', 'grp_' || n, 'Group ' || n, 'group-' || n, 'tem_' || n, true, now(), now() from generate_series(1, ${groups}) n`,
      `insert into directory_group_members (organisation_id, group_id, user_id, created_at)
     select '${organisation.id}', 'grp_' || g.place, 'usr_' || n, now() from generate_series(1, ${managed}) n ${ofUser}`,
      `insert into team_members (organisation_id, team_id, user_id, created_at)
     select '${organisation.id}', 'tem_' || g.place, 'usr_' || n, now() from generate_series(1, ${managed}) n ${ofUser}`,
      `insert into team_member_sources (organisation_id, team_id, user_id, source, created_at)
     select '${organisation.id}', 'tem_' || g.place, 'usr_' || n, 'directory:${id}', now() from generate_series(1, ${managed}) n ${ofUser}`,
    )
    const { body: group } = await directory.scim.post('/Groups', { displayName: 'Joined' })
    const value = Array.from({ length: joining }, (_, place) => ({ value: `usr_${place + 1}` }))
    for (const op of ['add', 'remove']) {
      statements.length = 0
      expect(await directory.scim.patch(`/Groups/${group.id}`, operations({ op, path: 'members', value }))).toMatchObject({ status: 204 })
      const given = statements.filter(({ query, setUp }) => setUp && /team_member_sources|for update/.test(query.sql))
      expect(given.length).toBeGreaterThan(2)
      for (const statement of given) expect(await mostRowsOf(statement), statement.query.sql).toBeLessThan(2 * users)
    }
  },
)
