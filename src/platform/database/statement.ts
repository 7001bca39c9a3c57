import type { Query } from './engine.ts'

/** `:name`, but not the cast `::type`. */
const parameter = /(?<!:):([a-z]\w*)/gi

interface StatementOptions {
  /** The reason why the statement may find rows of any organisation. All others restrict theirs: `organisation_id = :organisationId`. */
  crossesOrganisations?: string
}

/** A frequent statement as a typed value: its text is prepared once and never compiled. */
export class Statement<Values extends object, Row> {
  /** Exists only in the type. */
  declare readonly row: Row
  /** The text with its named parameters. */
  readonly text: string
  readonly crossesOrganisations: string | undefined
  readonly #sql: string
  readonly #names: readonly string[]

  constructor(text: string, { crossesOrganisations }: StatementOptions) {
    const names = [...new Set(Array.from(text.matchAll(parameter), ([, name]) => name as string))]
    this.text = text
    this.crossesOrganisations = crossesOrganisations
    this.#sql = text.replace(parameter, (_, name: string) => `$${names.indexOf(name) + 1}`)
    this.#names = names
  }

  with(values: Values): Query {
    const parameters = this.#names.map((name) => {
      const value = values[name as keyof Values]
      if (value === undefined) throw new Error(`The statement lacks a value for ${name}: ${this.text}`)
      return value
    })
    return { sql: this.#sql, parameters }
  }
}

/** Every statement that the loaded modules declare, for a test that checks all of them. */
export const declaredStatements: Statement<never, unknown>[] = []

/**
 * Declares a statement with named parameters: `where organisation_id = :organisationId and code_hash = :codeHash`. It runs by
 * `database.pointRead`, `database.keyedWrite` or, in a transaction, `tenant.run`.
 */
export function statement<Values extends object, Row>(text: string, options: StatementOptions = {}): Statement<Values, Row> {
  const declared = new Statement<Values, Row>(text, options)
  declaredStatements.push(declared)
  return declared
}

/** The parameters that every keyed write has: group commits lock rows in the order of these two. */
export interface KeyedValues {
  organisationId: string
  /** The unique key, within the organisation, of the first row that the statement changes. */
  key: string
}

/** A keyed write and its values, which can run by itself or in a transaction. */
export interface BoundWrite {
  statement: Statement<KeyedValues, object>
  values: KeyedValues
}

export const boundWrite = <Values extends KeyedValues>(statement: Statement<Values, object>, values: Values): BoundWrite => ({
  statement,
  values,
})
