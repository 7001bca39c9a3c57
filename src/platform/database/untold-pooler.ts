import type pg from 'pg'

/** Between the service and PostgreSQL is a pooler that gives each transaction another connection, and nobody has said so. */
export class UntoldPooler extends Error {
  override readonly name = 'UntoldPooler'
  readonly code = untoldPoolerCode
  constructor() {
    super(
      'What is set or prepared on a connection is gone for its next statement: a pooler in transaction mode gives each transaction another one. Set DATABASE_POOLER=transaction, and DATABASE_LISTEN_URL=postgres://… to PostgreSQL itself; or pool_mode = session at the pooler',
    )
  }
}

export const untoldPoolerCode = 'POOLER_UNTOLD'

/** `prepared statement … does not exist`, or exists already: as on the connection of somebody else. */
const asOnAnother = ['26000', '42P05']
/** Not by this role: where something is in between, it may be the role of somebody else. */
const insufficientPrivilege = '42501'

export interface PoolerWatch {
  /**
   * Asks a connection that has just been opened, before anything is left on it.
   *
   * @returns the number of its process in the database, which may not be the one that it was opened with: a pooler in session mode has numbers of its own
   * @throws UntoldPooler
   */
  check(client: pg.ClientBase): Promise<number>
  /** Why a statement has failed: the pooler, where it was that. */
  explain(error: unknown): Promise<unknown>
  /** @throws UntoldPooler once one has been found, on connections from before, too: what they say may be of another role */
  refuse(): void
}

/**
 * Finds a pooler in transaction mode that the configuration does not name, before it gives a wrong answer for a right one: a statement on
 * the connection of another role sees no row, and a right password is wrong then.
 *
 * PostgreSQL opens a connection with the number of its process. Only where the first statement says another one, something is in between,
 * and what it keeps is tried out once, which takes a moment.
 */
export function watchForPooler(connectionString: string): PoolerWatch {
  let isDirect = false
  let found: UntoldPooler | undefined
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    const { probeSession } = await import('./probe-session.ts')
    if (!(await probeSession(connectionString)).keepsState) found = new UntoldPooler()
  }
  async function probeOnce(): Promise<void> {
    probing ??= probe().catch((error) => {
      // It could not be asked: the next connection asks again.
      probing = undefined
      throw error
    })
    await probing
    refuse()
  }
  function refuse(): void {
    if (found) throw found
  }
  return {
    refuse,
    async check(client) {
      refuse()
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const pid = rows[0]?.pid as number
      isDirect = pid === (client as pg.ClientBase & { processID: number | null }).processID
      if (!isDirect) await probeOnce()
      return pid
    },
    async explain(error) {
      const { code = '' } = (error ?? {}) as { code?: string }
      if (!asOnAnother.includes(code) && (isDirect || code !== insufficientPrivilege)) return error
      probing = undefined
      return probeOnce().then(
        () => error,
        (failure) => (failure === found ? failure : error),
      )
    },
  }
}
