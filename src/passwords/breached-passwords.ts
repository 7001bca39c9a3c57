import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { FilterError, openFilter } from './breached-filter.ts'
import { BreachedPasswordError, reportBreachedPasswordError } from './breached-password-errors.ts'
import { createRangeServer, type RangeServerOptions } from './range-server.ts'

/** The operator's settings for breached passwords. */
export interface BreachedPasswordSettings {
  source: { kind: 'server'; url: string } | { kind: 'file'; path: string }
  /** The treatment of a password while it cannot be looked up. */
  whenUnreachable: 'allow' | 'refuse'
  /** The treatment of a breached password with which a user signs in. */
  atSignIn: 'off' | 'warn' | 'change'
}

export interface BreachedPasswords extends Omit<BreachedPasswordSettings, 'source'> {
  /** Whether a look-up needs no network. */
  isLocal: boolean
  /**
   * Whether a password is known from a data breach; undefined when the look-up failed, which is counted and logged. Do not call it in a
   * transaction: it may take a second.
   */
  isBreached(password: string): Promise<boolean | undefined>
  close(): Promise<void>
}

/**
 * Opens the source that `BREACHED_PASSWORDS` names. A server is not called yet.
 *
 * @throws Error that names the variable, and what to do about the file
 */
export async function openBreachedPasswords(
  { source, ...settings }: BreachedPasswordSettings,
  { clock, logger, ...options }: RangeServerOptions & { clock: Clock; logger: Logger },
): Promise<BreachedPasswords> {
  const list = source.kind === 'server' ? createRangeServer(source.url, clock, options) : await openFile(source.path)
  return {
    ...settings,
    isLocal: source.kind === 'file',
    async isBreached(password) {
      try {
        // Normalise the password as it is stored.
        return await list.has(hash('sha1', password.normalize('NFC'), 'buffer'))
      } catch (error) {
        const { reason, detail } =
          error instanceof BreachedPasswordError ? error : new BreachedPasswordError('file', (error as NodeJS.ErrnoException).code)
        reportBreachedPasswordError(reason)
        logger.warn({ reason, detail }, 'a password could not be looked up among the breached ones')
        return undefined
      }
    },
    close: () => list.close(),
  }
}

async function openFile(path: string) {
  return openFilter(path).catch((error: unknown) => {
    if (!(error instanceof FilterError)) throw error
    throw new Error(`BREACHED_PASSWORDS cannot be used: ${error.message}; make it with \`npm run passwords:import\``)
  })
}
