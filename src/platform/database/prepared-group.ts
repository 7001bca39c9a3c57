import pg from 'pg'

/** A statement that a connection has prepared, with the columns of its rows. */
export interface PreparedStatement {
  readonly name: string
  readonly columns: readonly Column[]
}

interface Column {
  readonly name: string
  parse(text: string): unknown
}

export interface StatementResult {
  rows: unknown[]
  rowCount: number | null
}

/** The values of a statement in PostgreSQL's text format. */
export type WireValues = (string | Buffer | null)[]

/**
 * Runs prepared statements in one transaction and one exchange: `client.query(new PreparedGroup(…)).results`.
 * All are sent with one Sync behind the last. PostgreSQL runs everything before a Sync in one transaction, so
 * there is no `begin` and no `commit` to run; it responds once, in one piece; and since the columns are
 * known, no row is described again. For the most frequent statements, these are most of the messages.
 *
 * It is a `Query` because the driver pipelines nothing else. It overrides everything that it inherits.
 *
 * `results` rejects with the error of the first statement that fails; then all are rolled back.
 */
export class PreparedGroup extends pg.Query {
  readonly results: Promise<StatementResult[]>
  /** The index of the statement that PostgreSQL is running. */
  at = 0
  readonly #statements: readonly PreparedStatement[]
  readonly #values: readonly WireValues[]
  readonly #settled = Promise.withResolvers<StatementResult[]>()
  readonly #received: StatementResult[]

  constructor(statements: readonly PreparedStatement[], values: readonly WireValues[]) {
    super('')
    this.#statements = statements
    this.#values = values
    this.#received = statements.map(() => ({ rows: [], rowCount: 0 }))
    this.results = this.#settled.promise
  }

  override submit = (connection: pg.Connection): void => {
    for (const [place, { name: statement }] of this.#statements.entries()) {
      connection.bind({ statement, values: this.#values[place] as string[] }, true)
      connection.execute(null, true)
    }
    connection.sync()
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    let place = 0
    for (const { name, parse } of this.#statements[this.at]?.columns ?? []) {
      const text = fields[place++]
      row[name] = text === null || text === undefined ? null : parse(text)
    }
    this.#received[this.at]?.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const received = this.#received[this.at++]
    // The tag, such as `UPDATE 1` or `INSERT 0 1`, ends with the count.
    if (received) received.rowCount = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  /** Called after the commit. */
  handleReadyForQuery(): void {
    this.#settled.resolve(this.#received)
  }

  handleError(error: Error): void {
    this.#settled.reject(error)
  }
}

/** @returns undefined when the driver has to serialise one of them */
export function wireValuesOf(parameters: readonly unknown[]): WireValues | undefined {
  const values: WireValues = []
  for (const parameter of parameters) {
    const value = wireValueOf(parameter)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function wireValueOf(value: unknown): string | Buffer | null | undefined {
  if (value === null || value === undefined) return null
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      if (value instanceof Date) return isoTimeOf(value)
      if (Array.isArray(value)) return arrayLiteralOf(value)
      return Buffer.isBuffer(value) ? value : undefined
  }
}

/** Formats a time; PostgreSQL has another format for years of more than four digits. */
function isoTimeOf(time: Date): string | undefined {
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9_999 ? time.toISOString() : undefined
}

function arrayLiteralOf(items: readonly unknown[]): string | undefined {
  if (!items.every((item) => typeof item === 'string')) return undefined
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
