/** The fields of an error that can be sent to another thread or process: PostgreSQL's own, without the statement's parameters. */
export type Failure = { message: string } & Partial<Record<(typeof errorFields)[number], string>>

const errorFields = ['code', 'severity', 'detail', 'hint', 'schema', 'table', 'column', 'constraint', 'where', 'routine'] as const

export function failureOf(error: unknown): Failure {
  const failure: Failure = { message: error instanceof Error ? error.message : String(error) }
  for (const field of errorFields) {
    const value = (error as Partial<Record<string, unknown>>)[field]
    if (typeof value === 'string') failure[field] = value
  }
  return failure
}

export const errorOf = (failure: Failure): Error => Object.assign(new Error(failure.message), failure)
