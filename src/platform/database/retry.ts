import type { DatabaseError } from 'pg'

const attemptsMax = 20

/**
 * Runs work again when PostgreSQL has rolled it back for a reason outside the statement: a newer release has changed a table,
 * a deadlock, or a serialisation failure.
 */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      // A changed table can affect many statements, and each attempt fails on only one of them.
      if (!(isStalePlan(error) || isConflict(error)) || attempt > attemptsMax) throw error
    }
  }
}

/** A table has changed since the connection prepared the statement. */
export const isStalePlan = (error: unknown) => (error as Partial<DatabaseError> | undefined)?.routine === 'RevalidateCachedQuery'

/** A deadlock or a serialisation failure. */
export const isConflict = (error: unknown) => ['40P01', '40001'].includes((error as Partial<DatabaseError> | undefined)?.code ?? '')
