import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../app/config.ts'
import { CommandFailure } from '../failures.ts'

export const embeddedFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'database')

/** @throws CommandFailure when the service uses PostgreSQL */
export function refusePostgres({ databaseUrl }: Config, what: string): void {
  if (databaseUrl)
    throw new CommandFailure(`DATABASE_URL is set: ${what} a PostgreSQL by its own tools, such as pg_dump (docs/operations.md)`)
}

/** Distinguishes keys and reveals nothing else about them. */
export const fingerprintOf = (secretKey: Buffer) => createHash('sha256').update('backup\0').update(secretKey).digest('hex').slice(0, 16)
