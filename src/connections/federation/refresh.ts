import type { Caller } from '../../access/caller.ts'
import { type FieldError, invalidInput } from '../../platform/http/problem.ts'
import { type Connection, getConnection } from '../queries.ts'
import {
  connectionNotFound,
  discoveryFailed,
  keysUnreadable,
  metadataUnreadable,
  neededForDiscovery,
  noMetadataAddress,
} from '../refusals.ts'
import { checkOf, UpstreamRefusal } from '../upstream/checks.ts'
import { noteDocuments } from './queries.ts'
import { refreshMetadata } from './refresh-metadata.ts'
import { settingsOf } from './settings.ts'
import type { Federation } from './start.ts'

/**
 * Reads the documents of a connection's provider again: discovery and keys, or metadata. If they failed last, the connection works again. This also
 * works for an inactive connection, before anything else about it is known.
 *
 * @throws Problem `not-found`, `too-many-requests`; `bad-request` that names what cannot be read
 */
export async function refreshConnection(dependencies: Federation, caller: Caller, id: string): Promise<Connection> {
  const { database, limits } = dependencies
  const connection = await getConnection(database.tenant(caller.organisationId), id)
  const member = whereDocumentsAre[connection.provider]
  if (member !== undefined && connection.configuration[member] === undefined)
    throw invalidInput([(member === 'metadataUrl' ? noMetadataAddress : neededForDiscovery)(['configuration', member])])

  await limits.connectionRefreshesByOrganisation.count(caller.organisationId)
  const refusal = await readDocuments(dependencies, connection, database.clock.now(), caller)
  if (refusal) throw invalidInput([mistakeOf(refusal, member === undefined ? ['provider'] : ['configuration', member])])
  const noted = await noteDocuments(database.tenant(caller.organisationId), id)
  // Deleted while its provider was asked.
  if (!noted) throw connectionNotFound()
  return noted
}

/** @returns why they cannot be read; undefined when they could */
export async function readDocuments(
  dependencies: Pick<Federation, 'database' | 'keyring' | 'outbox' | 'publicUrl' | 'openUpstream' | 'openSaml'>,
  connection: Connection,
  now: Date,
  by?: Caller,
): Promise<UpstreamRefusal | undefined> {
  try {
    if (connection.provider === 'saml') {
      await refreshMetadata(dependencies, connection, by)
      return undefined
    }
    const upstream = await dependencies.openUpstream()
    // The documents are public: no client is needed to read them.
    const configuration = { clientId: 'unregistered', ...connection.configuration }
    await upstream.refresh(settingsOf(dependencies, { ...connection, configuration }, [], now))
    return undefined
  } catch (error) {
    if (error instanceof UpstreamRefusal) return error
    throw error
  }
}

/** The setting that locates a provider's documents, unless their location is fixed. */
const whereDocumentsAre = {
  oidc: 'issuer',
  microsoft: 'tenant',
  google: undefined,
  apple: undefined,
  github: undefined,
  saml: 'metadataUrl',
} as const

function mistakeOf({ checks }: UpstreamRefusal, path: FieldError['path']): FieldError {
  const { code, received } = checks.find(({ passed }) => !passed) ?? checkOf('discovery', '', undefined, false)
  if (path.includes('metadataUrl')) return metadataUnreadable(path, received)
  return code === 'keys' ? keysUnreadable(path, received) : discoveryFailed(path, received)
}
