import { CompiledQuery } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine, EngineTransaction } from '../../src/platform/database/engine.ts'
import { migrationState, rehearsePending } from '../../src/platform/database/migrate.ts'
import { useService } from '../support/service.ts'

const service = useService()

/** Values that a later migration ends on purpose, by the constraint or function. */
const ended: Readonly<Record<string, readonly string[]>> = {}

/** The values that a definition names, such as the methods that a check allows, by the name of the constraint or function. */
type Definitions = ReadonlyMap<string, ReadonlySet<string>>

const definitionsIn = async (owner: EngineTransaction): Promise<Definitions> => {
  const { rows } = await owner.execute<{ name: string; text: string }>(
    CompiledQuery.raw(`
      select conrelid::regclass::text || ' ' || conname as name, pg_get_constraintdef(oid) as text
      from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'c' and conrelid <> 0
      union all
      select proname || '(' || pg_get_function_identity_arguments(oid) || ')', prosrc
      from pg_proc where pronamespace = current_schema()::regnamespace`),
  )
  return new Map(rows.map(({ name, text }) => [name, new Set([...text.matchAll(/'([^']+)'/g)].map(([, value = '']) => value))]))
}

/**
 * Two migrations of two branches may each replace the same definition: the later one, which does not know the earlier, would take away
 * what that has added. Nothing else shows it, since each of them is right by itself.
 */
describe('the definition of a check or a function that several migrations replace', () => {
  let final: Definitions
  const lost: string[] = []

  beforeAll(async () => {
    const { engine } = service()
    const { applied } = await migrationState(engine)
    final = await engine.ownerTransaction(definitionsIn)
    const seen = new Map<string, Set<string>>()
    const watched: Engine = {
      ...engine,
      ownerTransaction: (work) =>
        engine.ownerTransaction(async (owner) => {
          const result = await work(owner)
          for (const [of, values] of await definitionsIn(owner)) seen.set(of, new Set([...(seen.get(of) ?? []), ...values]))
          return result
        }),
    }
    const rehearsed = await rehearsePending(watched, { applied: [], pending: applied, unknown: [] })
    expect(rehearsed.map(({ failure }) => failure).filter(Boolean)).toEqual([])
    // A check that a migration has ended shows that each state in between was seen.
    expect([...seen.keys()]).toContain('clients clients_check1')
    for (const [of, values] of seen)
      for (const value of values)
        if (final.has(of) && !final.get(of)?.has(value) && !ended[of]?.includes(value)) lost.push(`${of}: '${value}'`)
  })

  it('has each value that any of them has added', () => {
    expect([...(final.get('configuration_keys configuration_keys_kind_check') ?? [])]).toContain('resourceServers')
    expect(lost).toEqual([])
  })
})
