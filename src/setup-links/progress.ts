import { missingSettings } from '../connections/configuration.ts'
import { type Connection, getConnection } from '../connections/queries.ts'
import { getDirectory, type WholeDirectory } from '../directories/queries.ts'
import { challengeName, challengeValue } from '../domains/dns-records.ts'
import { type Domain, getDomain } from '../domains/queries.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import type { SetupLink } from './queries.ts'
import { offersStep, type SetupProgress } from './rules.ts'

/** What a link has made so far. */
interface Made {
  domain: Domain | undefined
  connection: Connection | undefined
  directory: WholeDirectory | undefined
}

export async function readMade(tenant: Tenant, { domainId, connectionId, directoryId }: SetupLink): Promise<Made> {
  return {
    domain: domainId === null ? undefined : await getDomain(tenant, domainId),
    connection: connectionId === null ? undefined : await getConnection(tenant, connectionId),
    directory: directoryId === null ? undefined : await getDirectory(tenant, directoryId),
  }
}

/** Whether nothing is missing of a connection but a test. */
const isConfigured = ({ provider, configuration, secretEncrypted }: Connection): boolean =>
  missingSettings(provider, configuration, secretEncrypted !== null).length === 0

/**
 * A test says nothing about another configuration than the one that it has tested. Which came later is not asked: each time is that of the clock of a
 * process, and of the beginning of its work.
 */
const isTested = (connection: Connection, { testedAt, testedUpdatedAt }: Pick<SetupLink, 'testedAt' | 'testedUpdatedAt'>) => {
  if (!isConfigured(connection) || testedAt === null) return false
  // Noted by the former release.
  if (testedUpdatedAt === null) return testedAt >= connection.updatedAt
  return testedUpdatedAt.getTime() === connection.updatedAt.getTime()
}

/** A connection is set up once a test sign-in has passed, a directory once it has sent a request that was accepted. */
export const progressOf = (link: SetupLink, { domain, connection, directory }: Made): SetupProgress => ({
  domain: offersStep('domain', link.purposes) ? domain?.status === 'verified' : undefined,
  connection: offersStep('connection', link.purposes) ? connection !== undefined && isTested(connection, link) : undefined,
  directory: offersStep('directory', link.purposes) ? directory !== undefined && directory.directory.lastSuccessAt !== null : undefined,
})

/** What the pages show of what a link has made. */
export async function readMadeBy(database: Database, link: SetupLink) {
  const made = await readMade(database.tenant(link.organisationId), link)
  const { domain, connection } = made
  return {
    ...made,
    shownDomain: domain && {
      domain: domain.domain,
      isVerified: domain.status === 'verified',
      challenge: { type: 'TXT', name: challengeName(domain.domain), value: challengeValue(domain.challenge) },
    },
    isConfigured: connection !== undefined && isConfigured(connection),
    isTested: connection !== undefined && isTested(connection, link),
  }
}
