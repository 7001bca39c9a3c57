import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import type { Database } from '../platform/database/database.ts'
import { isEmpty } from '../provisioning/bootstrap.ts'

/** The SQLSTATE of a database that was never migrated. */
const undefinedTable = '42P01'

/**
 * Before anything in the database is changed.
 *
 * @throws ConfigError for a database in which there is an organisation, since it may be that of an installation
 */
export async function refuseUsedDatabase(database: Database, { databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  if (databaseUrl === undefined) return
  const isUnused = await isEmpty(database).catch((error: { code?: string }) => {
    if (error.code === undefinedTable) return true
    throw error
  })
  if (isUnused) return
  throw new ConfigError(['DATABASE_URL names a database that has organisations: the test mode runs on an empty one, or without any'])
}
