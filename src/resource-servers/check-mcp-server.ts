import type { Caller } from '../access/caller.ts'
import type { RateLimits } from '../access/rate-limits.ts'
import { type Outgoing, OutgoingError } from '../platform/http/outgoing-fetch.ts'
import { proveIdentifier, type ResourceServerAdministration } from './create-resource-server.ts'
import { type Answered, judgeChallenge, judgeDocument, judgeRefusal, metadataAddressIn } from './judge-mcp-server.ts'
import { metadataAddress } from './rules.ts'
import type { McpServerCheck } from './schemas.ts'

export interface McpServerChecking extends Pick<ResourceServerAdministration, 'issuer' | 'environment'> {
  limits: RateLimits
  outgoing: Outgoing
}

const bytesMax = 64 * 1_024

/** The first request of a client of the Model Context Protocol. */
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'Gatehouse', version: '1.0.0' } },
})

/**
 * Asks an MCP server what its clients ask it before they have a token, and says for each answer whether it leads them here.
 *
 * @throws Problem `bad-request` for an address that cannot be an identifier, `too-many-requests`
 */
export async function checkMcpServer(
  { limits, outgoing, ...service }: McpServerChecking,
  caller: Caller,
  address: string,
): Promise<McpServerCheck> {
  const identifier = proveIdentifier(service, address)
  await limits.mcpServerChecksByOrganisation.count(caller.organisationId)
  const refused = await ask(outgoing, 'MCP server', identifier, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: initialize,
  })
  const usual = metadataAddress(identifier)
  const named = 'failure' in refused ? undefined : metadataAddressIn(refused.response.headers.get('www-authenticate'))
  const metadataUrl = named?.href ?? usual
  const document = await ask(outgoing, 'metadata of the MCP server', metadataUrl, { headers: { accept: 'application/json' } })
  const { findings, ...told } = judgeDocument(document, { identifier, issuer: service.issuer })
  const checks = [judgeRefusal(refused), judgeChallenge(refused, usual, told.requireDpop), ...findings]
  return { identifier, metadataUrl, checks, ...told }
}

async function ask(outgoing: Outgoing, what: string, url: string, init: Parameters<ReturnType<Outgoing['fetch']>>[1]): Promise<Answered> {
  try {
    const response = await outgoing.fetch(what, bytesMax)(url, init)
    return { response, body: await response.text() }
  } catch (error) {
    if (error instanceof OutgoingError) return { failure: error.message }
    throw error
  }
}
