/** What a flood of applications that introduce themselves leaves behind, and what another organisation notices of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { onServer, urlOf } from '../../test/support/database-server.ts'
import { Receiver } from '../../test/support/receiver.ts'
import { type Contestant, startGatehouse } from './contestants.ts'
import type { startMeasuredPostgres } from './database-load.ts'
import { percentile } from './percentiles.ts'

const resource = 'https://mcp.flooded.test/'
const quietFlows = 300
const floodedFlowsMin = 100
const requestsAtOnce = 16
/** As many as may register from one network in an hour. */
const requestsPerNetwork = 20

/** A stranger's request, with the network that it comes from. */
type Ask = (origin: string, number: number, headers: Record<string, string>) => Promise<Response>

/**
 * Floods a service that has just been started.
 *
 * @param isLimited whether the limits of requests are on, as they are unless they are switched off
 */
export async function flood(
  postgres: Awaited<ReturnType<typeof startMeasuredPostgres>>,
  kind: 'registrations' | 'documents',
  { count, isLimited }: { count: number; isLimited: boolean },
): Promise<void> {
  const receiver = await Receiver.start()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-flood-'))
  await writeFile(join(folder, 'ca.pem'), receiver.ca)
  const database = 'flood_bench'
  const gatehouse = await startGatehouse(postgres, 1, [], {
    database,
    environment: {
      OAUTH_EXTENSIONS: 'dynamic_registration,resource_indicators,client_metadata_documents',
      OPEN_REGISTRATION: 'on',
      RATE_LIMIT: isLimited ? 'on' : 'off',
      TRUST_PROXY: 'loopback',
      OUTGOING_PRIVATE_HOSTS: 'localhost',
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    },
  })
  try {
    const databaseUrl = urlOf(postgres.url, database)
    await addFloodedOrganisation(databaseUrl)
    const ask = kind === 'registrations' ? registration : documentAt(receiver)
    const quiet: number[] = []
    while (quiet.length < quietFlows) quiet.push(await flowOf(gatehouse))
    const before = await rowsOf(databaseUrl)

    const statuses = new Map<number, number>()
    let isOver = false
    const flooded: number[] = []
    const victim = (async () => {
      while (!isOver || flooded.length < floodedFlowsMin) flooded.push(await flowOf(gatehouse))
    })()
    let next = 0
    const began = performance.now()
    const flooding = Array.from({ length: requestsAtOnce }, async () => {
      for (let number = next++; number < count; number = next++) {
        const network = Math.floor(number / requestsPerNetwork)
        const headers = { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` }
        const response = await ask(gatehouse.process.origin, number, headers)
        await response.arrayBuffer()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    })
    await Promise.all(flooding)
    const seconds = (performance.now() - began) / 1_000
    isOver = true
    await victim

    const after = await rowsOf(databaseUrl)
    const grown = Object.entries(after).flatMap(([table, rows]) => {
      const more = rows - (before[table] ?? 0)
      return more > 0 && !ofFlows.has(table) ? [`${more} ${table}`] : []
    })
    const figures = (values: number[]) => `median ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`
    process.stdout.write(
      [
        `${count} ${kind}, limits ${isLimited ? 'on' : 'off'}, in ${seconds.toFixed(0)} s: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`,
        `  rows afterwards: ${grown.join(', ') || 'none'}`,
        `  code flow of another organisation before: ${figures(quiet)}`,
        `  code flow of another organisation meanwhile: ${figures(flooded)}\n`,
      ].join('\n'),
    )
  } finally {
    await gatehouse.party.close()
    await gatehouse.process.stop()
    await receiver.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the code flows of the other organisation write. */
const ofFlows = new Set(['authorization_codes', 'token_families', 'refresh_answers', 'audit_logs', 'sign_in_counts', 'consents'])

async function flowOf({ party, paths }: Contestant): Promise<number> {
  const from = performance.now()
  await party.codeFlow(paths.authorize, paths.token)
  return performance.now() - from
}

const registration: Ask = (origin, number, headers) =>
  fetch(`${origin}/oauth2/register`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: `Agent ${number}`, redirect_uris: ['http://localhost/callback'] }),
  })

/** Names a document that was never named before. */
function documentAt(receiver: Receiver): Ask {
  const hook = receiver.folder()
  const { origin: host } = new URL(hook.url)
  hook.answer = ({ path }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: host + path,
      client_name: 'Agent',
      redirect_uris: [`${host}/callback`],
      token_endpoint_auth_method: 'none',
    }),
  })
  return (origin, number, headers) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: `${hook.url}${number}.json`,
      redirect_uri: `${host}/callback`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      resource,
    })
    return fetch(`${origin}/oauth2/authorize?${query}`, { redirect: 'manual', headers })
  }
}

/** An organisation whose resource every application may ask for. */
async function addFloodedOrganisation(databaseUrl: string): Promise<void> {
  await onServer(
    databaseUrl,
    `insert into organisations (id, name, slug, email, created_at, updated_at)
       values ('org_flooded', 'Flooded', 'flooded', 'owner@flooded.test', now(), now());
     insert into organisation_domains (organisation_id, id, domain, challenge, status, verified_at, checked_at, created_at, updated_at)
       values ('org_flooded', 'dom_flooded', 'flooded.test', 'flooded', 'verified', now(), now(), now(), now());
     insert into resource_servers (organisation_id, id, name, identifier, allows_automatic_clients, created_at, updated_at)
       values ('org_flooded', 'rsv_flooded', 'Flooded', '${resource}', true, now(), now())`,
  )
}

/** How many rows each table has. */
async function rowsOf(databaseUrl: string): Promise<Record<string, number>> {
  const rows = await onServer(
    databaseUrl,
    `select table_name as name,
       (xpath('/row/count/text()', query_to_xml(format('select count(*) from %I', table_name), false, true, '')))[1]::text as count
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [String(name), Number(count)]))
}
