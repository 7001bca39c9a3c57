import type { CompiledQuery } from 'kysely'
import type { Engine } from '../../src/platform/database/engine.ts'

/** A statement as it was run by itself, with what bound it to its tenant. */
export interface RecordedStatement {
  query: CompiledQuery
  setUp: CompiledQuery | undefined
}

/** An engine that keeps the single statements it is given. */
export function recordingEngine(engine: Engine): Engine & { readonly statements: RecordedStatement[] } {
  const statements: RecordedStatement[] = []
  return {
    ...engine,
    statements,
    execute(query, setUp) {
      statements.push({ query, setUp })
      return engine.execute(query, setUp)
    },
  }
}
