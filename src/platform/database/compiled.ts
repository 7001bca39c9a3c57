import type { Compilable, CompiledQuery } from 'kysely'
import type { SharedReads, Tenant } from './database.ts'

/** Stands for a value in a statement that is compiled before there is one. */
class Placeholder {
  readonly position: number

  constructor(position: number) {
    this.position = position
  }
}

/**
 * A query for one row that is built and compiled when it first runs, and never again: for what runs with many requests,
 * where that takes longer than to send it.
 *
 * @param build is given stand-ins for the values, so the statement must not depend on what they are; what it gives serves
 *   every organisation
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  build: (reads: SharedReads, ...values: Values) => Compilable<Row>,
): (tenant: Tenant, ...values: Values) => Promise<Row | undefined> {
  const placeholders = Array.from({ length: build.length - 1 }, (_, position) => new Placeholder(position))
  let compiled: CompiledQuery<Row> | undefined
  return async (tenant, ...values) => {
    compiled ??= build(tenant, ...(placeholders as unknown as Values)).compile()
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.position] : value))
    const { rows } = await tenant.getExecutor().executeQuery<Row>({ ...compiled, parameters })
    return rows[0]
  }
}
