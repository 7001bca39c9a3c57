import { type AutomaticClient, AutomaticClientRefused, type AutomaticClients } from '../automatic-clients/automatic-client.ts'
import { judgeClient } from '../automatic-clients/judge-client.ts'
import { hasRoomForAnother } from '../clients/automatic.ts'
import { clientNotFound } from '../clients/refusals.ts'
import { findAutomaticClient, findClient, type OAuthClient } from '../oauth/protocol/queries.ts'
import type { Database } from '../platform/database/database.ts'
import type { Finding } from './decide-steps.ts'
import type { AskedSignInCheck } from './schemas.ts'

export interface IntroductionChecks {
  database: Database
  automaticClients: AutomaticClients
}

interface Application {
  /** As the organisation has it; undefined if none of its users has allowed it yet, or the request names none. */
  client: OAuthClient | undefined
  /** What is found of one that introduces itself. */
  introduction: Finding[]
}

/**
 * The application that a check names. One that introduces itself is looked up as for a sign-in, also before any user has allowed it; which
 * resource server it asks for, the check does not say.
 *
 * @throws Problem `not-found`
 */
export async function findApplication(
  checking: IntroductionChecks,
  organisationId: string,
  { clientId, redirectUri }: AskedSignInCheck,
): Promise<Application> {
  if (clientId === undefined) return { client: undefined, introduction: [] }
  const { database, automaticClients } = checking
  if (automaticClients.recognises(clientId)) {
    const client = await findAutomaticClient(database, organisationId, clientId)
    return { client, introduction: await introductionOf(checking, { organisationId, clientId, redirectUri }, client) }
  }
  const client = await findClient(database, clientId)
  if (client?.organisationId !== organisationId) throw clientNotFound()
  return { client, introduction: [] }
}

async function introductionOf(
  { database, automaticClients }: IntroductionChecks,
  { organisationId, clientId, redirectUri }: { organisationId: string; clientId: string; redirectUri: string | undefined },
  client: OAuthClient | undefined,
): Promise<Finding[]> {
  let described: AutomaticClient | undefined
  try {
    described = await automaticClients.find(clientId)
  } catch (error) {
    if (!(error instanceof AutomaticClientRefused)) throw error
    return [{ code: 'document-unusable', values: { reason: error.message } }]
  }
  if (!described) throw clientNotFound()
  const [first] = described.redirectUris
  const policy = await database.tenant(organisationId).selectFrom('organisations').select('clientDocumentPolicy').executeTakeFirstOrThrow()
  const asked = { organisationId, ...policy }
  if ((await judgeClient(database, described, isAddress(redirectUri) ? redirectUri : first, asked)) !== undefined)
    return [{ code: 'document-refused', values: { host: described.host ?? '' } }]
  if (client) return described.host === null ? [] : [{ code: 'document-usable' }]
  if (!(await hasRoomForAnother(database, organisationId))) return [{ code: 'automatic-clients-full' }]
  return [{ code: 'document-usable' }, { code: 'consent-asked' }]
}

const isAddress = (uri: string | undefined): uri is string => uri !== undefined && URL.canParse(uri)
