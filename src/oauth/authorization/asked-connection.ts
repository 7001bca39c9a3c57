import type { RequiredSso } from '../../domains/required-sso.ts'
import { findConnectionOfDomain } from '../../domains/sso-requirement.ts'
import { connectionSignsIn } from '../../organisations/signs-in-by-connection.ts'
import type { Database } from '../../platform/database/database.ts'
import type { StoredRequest } from './stored-requests.ts'

const reference = /^[\w-]{1,100}$/

/**
 * The connection of the client's organisation to which a sign-in is sent without showing the page: the one that the request names, or
 * the one that the domain of its `login_hint` requires. A request with neither costs no statement.
 */
export async function findAskedConnection(
  { database, requiredSso }: { database: Database; requiredSso: RequiredSso },
  organisationId: string,
  { connection, loginHint }: Pick<StoredRequest, 'connection' | 'loginHint'>,
): Promise<string | undefined> {
  const named = connection !== undefined && reference.test(connection) ? await findNamed(database, organisationId, connection) : undefined
  if (named !== undefined || loginHint === undefined || !requiredSso.isAny) return named
  const home = await findConnectionOfDomain(database, loginHint)
  return home?.isRequired && home.organisationId === organisationId ? home.connectionId : undefined
}

async function findNamed(database: Database, organisationId: string, connection: string): Promise<string | undefined> {
  const found = await database
    .tenant(organisationId)
    .selectFrom('connections')
    .select('id')
    .where((either) => either.or([either('id', '=', connection), either('slug', '=', connection)]))
    .where(connectionSignsIn())
    .executeTakeFirst()
  return found?.id
}
