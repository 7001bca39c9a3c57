import { documentPolicyOf } from '../organisations/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { statement } from '../platform/database/statement.ts'
import type { AutomaticClient } from './automatic-client.ts'
import { judgeDocument, type WhyRefused } from './rules.ts'
import type { VouchedResources } from './vouched-resources.ts'

const blockedHost = statement<{ organisationId: string; host: string }, { id: string }>(
  `select id from blocked_client_hosts where organisation_id = :organisationId and host = :host`,
)

/**
 * Why an organisation does not accept a client, or its redirect URI; undefined if it does. Without an organisation, the strictest
 * policy counts: a refusal must not lead the browser to a host that no organisation accepts.
 */
export async function judgeClient(
  database: Database,
  { host }: AutomaticClient,
  redirectUri: string | undefined,
  vouched: Pick<VouchedResources, 'organisationId' | 'clientDocumentPolicy'> | undefined,
): Promise<WhyRefused | undefined> {
  if (host === null) return undefined
  const refused = judgeDocument(documentPolicyOf(vouched?.clientDocumentPolicy ?? null), host, redirectUri)
  if (refused !== undefined || !vouched) return refused
  const { organisationId } = vouched
  return (await database.pointRead(blockedHost, { organisationId, host })) ? 'host' : undefined
}
