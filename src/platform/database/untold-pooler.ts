import type pg from 'pg'

/** A pooler between the service and PostgreSQL gives each transaction another connection, and the configuration does not say so. */
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

/** The SQLSTATEs of `prepared statement … does not exist`, or exists already: as on another client's connection. */
const asOnAnother = ['26000', '42P05']
/** The SQLSTATE of a missing privilege. This role lacks none: behind a pooler the connection may have another client's role. */
const insufficientPrivilege = '42501'

export interface PoolerWatch {
  /**
   * Checks a connection that has just been opened, before it has any state.
   *
   * @returns the number of its process in the database, which may differ from the
   *   one that it was opened with: a pooler in session mode has numbers of its own
   * @throws UntoldPooler
   */
  check(client: pg.ClientBase): Promise<number>
  /** Explains why a statement has failed: by the pooler, if that was the cause. */
  explain(error: unknown): Promise<unknown>
  /** @throws UntoldPooler once a pooler has been found, on earlier connections, too: their results may be those of another role */
  refuse(): void
}

/**
 * Finds a pooler in transaction mode that the configuration does not name, before it falsifies a result: a statement on the connection of
 * another role sees no row, and a right password is wrong then.
 *
 * PostgreSQL opens a connection with the number of its process. Only when the first statement reports another number is there a pooler in
 * between; its mode is then probed once, which takes a moment.
 */
export function watchForPooler(databaseUrl: string): PoolerWatch {
  let isDirect = false
  let found: UntoldPooler | undefined
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    const { probeSession } = await import('./probe-session.ts')
    if (!(await probeSession(databaseUrl)).keepsState) found = new UntoldPooler()
  }
  async function probeOnce(): Promise<void> {
    probing ??= probe().catch((error) => {
      // The probe failed: the next connection repeats it.
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
