import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../src/platform/database/engine.ts'
import { freshEngine } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'

const namesMax = 1_000

/** The statements that the connection of a transaction has prepared. */
const prepared = CompiledQuery.raw('select statement from pg_prepared_statements')
const hot = CompiledQuery.raw('select 1 as hot')

describe('the statements that a connection has prepared', () => {
  let engine: Engine
  let service: TestService
  beforeAll(async () => {
    engine = await freshEngine()
    service = await startTestService({ engine })
  })
  afterAll(() => service?.stop())

  it('are limited in number, and include those in use', async () => {
    const held = await engine.transaction(async (connection) => {
      for (let number = 0; number < 2.2 * namesMax; number++) {
        const statement = CompiledQuery.raw(`select ${number} as number`)
        await Promise.all([connection.execute(statement), connection.execute(statement), connection.execute(hot)])
      }
      await connection.execute(hot)
      return (await connection.execute<{ statement: string }>(prepared)).rows.map(({ statement }) => statement)
    })

    expect(held.length).toBeLessThanOrEqual(namesMax)
    expect(held).toContain(hot.sql)
    expect(held).toContain(`select ${2.2 * namesMax - 1} as number`)
  })

  it('are prepared again after a connection has failed', async () => {
    const outcome = engine.transaction(async (connection) => {
      await connection.execute(CompiledQuery.raw('select 1 / 0'))
    })
    await expect(outcome).rejects.toThrow('division by zero')

    expect((await engine.execute(hot)).rows).toEqual([{ hot: 1 }])
  })

  it('do not grow with the combinations of fields that requests change', async () => {
    const { owner } = await service.given.organisation()
    const role = await service.given.role(owner)
    const changesOf = async () => {
      const { rows } = await engine.transaction((connection) => connection.execute<{ statement: string }>(prepared))
      return rows.filter(({ statement }) => statement.startsWith('update "users"')).length
    }
    const user = await service.given.user(owner, { roleIds: [role.id] })
    const fields = { firstName: 'A', lastName: 'B', phone: '+1', blockedReason: 'none' }
    const names = Object.keys(fields) as (keyof typeof fields)[]

    for (let subset = 1; subset < 2 ** names.length; subset++) {
      const changes = Object.fromEntries(
        names.filter((_, place) => subset & (1 << place)).map((name) => [name, `${fields[name]}${subset}`]),
      )
      expect(await owner.patch(`/v1/admin/users/${user.id}`, changes)).toMatchObject({ status: 200 })
    }

    expect(await changesOf()).toBeLessThan(3)
  })
})
