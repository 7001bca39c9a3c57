import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for whether a connection signs users in, as far as its settings say. An import without secrets brings active ones without theirs.
 *
 * @param connection SQL: the name of the row
 */
export const connectionSignsIn = (connection = 'connections'): RawBuilder<boolean> =>
  sql`(${sql.raw(`${connection}.is_active and ${connection}.secret_encrypted is not null`)})`

/** The same of a row that has been read. */
export const signsIn = ({ isActive, secretEncrypted }: { isActive: boolean; secretEncrypted: unknown }): boolean =>
  isActive && secretEncrypted !== null
