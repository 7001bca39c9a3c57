import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** After this many runs, every connection in use has prepared the statement. */
const timesUntilPrepared = 6

describe('a statement that its connection has prepared', () => {
  it('reads and writes the same values as the first time', async () => {
    const { engine } = service()
    const given = [
      new Date('2026-02-28T23:59:59.123Z'),
      ['plain', 'with "quotes", commas and \\', '', 'NULL', 'é\n'],
      null,
      -1.5,
      12_345_678_901,
      true,
      'text with \' and "',
      JSON.stringify({ deep: [1, null] }),
      Buffer.from([0, 255, 10]),
    ]
    const statement = CompiledQuery.raw(
      `select $1::timestamptz as time, $2::text[] as list, $3::text as nothing, $4::float8 as number, $5::int8 as big,
        $6::boolean as truth, $7::text as words, $8::jsonb as json, $9::bytea as bytes`,
      given,
    )
    const expected = {
      ...{ time: given[0], list: given[1], nothing: null, number: -1.5, big: 12_345_678_901, truth: true, words: given[6] },
      ...{ json: { deep: [1, null] }, bytes: given[8] },
    }

    for (let time = 0; time < timesUntilPrepared; time++) {
      const [row] = (await engine.execute<Record<string, unknown>>(statement)).rows
      expect({ ...row, bytes: Buffer.from(row?.bytes as Uint8Array) }).toEqual(expected)
    }
  })

  it('accepts times and lists that the driver serialises itself', async () => {
    const { engine } = service()
    const statement = CompiledQuery.raw('select $1::timestamptz as time, $2::text[] as list', [
      new Date('+012026-01-01T00:00:00Z'),
      ['a', null],
    ])

    for (let time = 0; time < timesUntilPrepared; time++) {
      expect((await engine.execute(statement)).rows).toEqual([{ time: new Date('+012026-01-01T00:00:00Z'), list: ['a', null] }])
    }
  })

  it('sees its own organisation alone, also when several organisations run it at once', async () => {
    const organisations = await Promise.all([service().given.organisation(), service().given.organisation()])
    const users = await Promise.all(organisations.map(({ owner }) => service().given.user(owner)))
    const { database } = service()
    const idsSeenBy = async (organisationId: string) => {
      const rows = await database
        .pointReads(organisationId)
        .selectFrom('users')
        .select('id')
        .where('id', '=', sql<string>`any(${users.map(({ id }) => id)}::text[])`)
        .execute()
      return rows.map(({ id }) => id)
    }

    for (let time = 0; time < timesUntilPrepared; time++) {
      const seen = await Promise.all([...organisations, ...organisations].map(({ id }) => idsSeenBy(id)))
      expect(seen).toEqual([...users, ...users].map(({ id }) => [id]))
    }
  })

  it('is rolled back when another of its group fails, and then runs alone', async () => {
    const { id } = await service().given.organisation()
    const { engine } = service()
    const revoke = (organisationId: string, jti: string) =>
      engine.keyedWrite<{ jti: string }>(
        CompiledQuery.raw('insert into revoked_access_tokens (organisation_id, jti, expires_at) values ($1, $2, now()) returning jti', [
          organisationId,
          jti,
        ]),
        `${organisationId} ${jti}`,
      )

    for (let time = 0; time < timesUntilPrepared; time++) {
      const outcomes = await Promise.allSettled([revoke(id, `a${time}`), revoke('org_unknown', 'b'), revoke(id, `c${time}`)])

      expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : outcome.reason.code))).toEqual([
        [{ jti: `a${time}` }],
        '23503',
        [{ jti: `c${time}` }],
      ])
    }
    const { rows } = await engine.execute<{ count: number }>(
      CompiledQuery.raw('select count(*) as count from revoked_access_tokens where organisation_id = $1', [id]),
    )
    expect(rows).toEqual([{ count: 2 * timesUntilPrepared }])
  })

  it.runIf(databaseKind() === 'postgres')('returns the current columns after a newer release has changed its table', async () => {
    const { engine } = service()
    await engine.ownerTransaction((transaction) => transaction.execute(CompiledQuery.raw('create table shapes (id text, sides text)')))
    await engine.ownerTransaction((transaction) => transaction.execute(CompiledQuery.raw('grant all on shapes to gatehouse_system')))
    const read = () => engine.pointRead(CompiledQuery.raw('select * from shapes'))
    await engine.execute(CompiledQuery.raw("insert into shapes values ('square', '4')"))
    for (let time = 0; time < timesUntilPrepared; time++) expect((await read()).rows).toEqual([{ id: 'square', sides: '4' }])

    await engine.ownerTransaction((transaction) =>
      transaction.execute(CompiledQuery.raw('alter table shapes alter column sides type int using sides::int')),
    )

    for (let time = 0; time < timesUntilPrepared; time++) {
      const answers = await Promise.all([read(), read(), read()])
      expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 3 }, () => [{ id: 'square', sides: 4 }]))
    }
  })
})
