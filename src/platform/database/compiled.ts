import type { Compilable, CompiledQuery, QueryExecutorProvider } from 'kysely'
import { type SharedReads, System, Tenant } from './database.ts'

type Values = readonly unknown[] | Readonly<Record<string, unknown>>

/** A placeholder for a value that is not known when the statement is compiled. */
class Placeholder {
  readonly valueIn: (values: Values, handle: Tenant | System) => unknown

  constructor(valueIn: Placeholder['valueIn']) {
    this.valueIn = valueIn
  }
}

/**
 * A query for one row that is built and compiled once, when it first runs. Use it for queries that run with many requests, where compiling
 * takes longer than sending.
 *
 * @param build gets placeholders, so the statement must not depend on the values. All organisations share the statement.
 */
export function compiledOnce<Given extends readonly unknown[], Row>(
  build: (reads: SharedReads, ...values: Given) => Compilable<Row>,
): (tenant: Tenant, ...values: Given) => Promise<Row | undefined> {
  const placeholders = Array.from({ length: build.length - 1 }, (_, position) => valueNamed(position))
  let compiled: CompiledQuery<Row> | undefined
  return async (tenant, ...values) => {
    compiled ??= build(tenant, ...(placeholders as unknown as Given)).compile()
    const rows = await run(tenant, compiled, values)
    return rows[0]
  }
}

/**
 * A query with a few forms, such as one for each order of a list. Each form is built and compiled when it first runs.
 *
 * @returns a function that runs the query in the form of this name. `build` gets placeholders for the values and for the handle's
 *   time and organisation. The statement may depend on the name of the form only, not on the values.
 */
export function compiledForms<Row>() {
  const forms = new Map<string, CompiledQuery<Row>>()
  return async <Handle extends Tenant | System, Given extends Readonly<Record<string, unknown>>>(
    handle: Handle,
    form: string,
    values: Given,
    build: (handle: Handle, values: Given) => { compile(executor: QueryExecutorProvider): CompiledQuery<Row> },
  ): Promise<Row[]> => {
    let compiled = forms.get(form)
    if (!compiled) {
      const placeholders = Object.fromEntries(Object.keys(values).map((name) => [name, valueNamed(name)]))
      compiled = build(standInFor(handle), placeholders as Given).compile(handle)
      forms.set(form, compiled)
    }
    return run(handle, compiled, values)
  }
}

const valueNamed = (name: string | number) => new Placeholder((values) => (values as Readonly<Record<string | number, unknown>>)[name])

function standInFor<Handle extends Tenant | System>(handle: Handle): Handle {
  const now = new Placeholder((_, { now: time }) => time) as unknown as Date
  if (!(handle instanceof Tenant)) return new System(handle.getExecutor(), now) as Handle
  const organisationId = new Placeholder((_, own) => (own as Tenant).organisationId) as unknown as string
  return new Tenant(handle.getExecutor(), now, organisationId) as unknown as Handle
}

async function run<Row>(handle: Tenant | System, compiled: CompiledQuery<Row>, values: Values): Promise<Row[]> {
  const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? value.valueIn(values, handle) : value))
  return (await handle.getExecutor().executeQuery<Row>({ ...compiled, parameters })).rows
}
