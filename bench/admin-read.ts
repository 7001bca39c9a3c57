/**
 * CPU time of an admin read (session, CSRF token, permission, one query in its tenant), of the service and of its database,
 * beside a bare Fastify route with the same query on the same data: `npm run bench:admin-read`. The key set, which needs no
 * query, is compared with a bare route without one. Linux.
 */
import { parseArgs } from 'node:util'
import { onServer, urlOf } from '../test/support/database-server.ts'
import { startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { atATime, many, succeeded } from './support/oauth-operations.ts'
import { RelyingParty } from './support/relying-party.ts'
import { type StartedProcess, startProcess } from './support/started-process.ts'

const goal = 2
const { values: options } = parseArgs({
  options: { operations: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '5' } },
})
const requestsPerRound = Number(options.operations)

const postgres = await startMeasuredPostgres()
const gatehouse = await startGatehouse(postgres, atATime, [])
const databaseUrl = urlOf(postgres.url, 'gatehouse_bench')
const [organisation] = await onServer(databaseUrl, 'select id from organisations')
const bare = await startProcess(
  'bench/peer/bare-route.ts',
  { NODE_ENV: 'production', DATABASE_URL: databaseUrl, ORGANISATION_ID: organisation?.id ?? '' },
  '/keys',
)
const owner = await signedIn()
const team = JSON.parse((await owner.party.postJson('/v1/admin/teams', { name: 'Bench', slug: 'bench' }, owner.headers)).text)
const caller = new RelyingParty(bare.origin, { clientId: '', clientSecret: '', redirectUri: '' }, atATime)

const rows: Record<string, Record<string, string>> = {}
rows['admin read'] = await compare(
  () => owner.party.get(`/v1/admin/teams/${team.id}`, owner.headers).then(succeeded),
  () => caller.get(`/teams/${team.id}`).then(succeeded),
)
rows['key set'] = await compare(
  () => owner.party.get('/oauth2/jwks.json').then(succeeded),
  () => caller.get('/keys').then(succeeded),
)
// biome-ignore lint/suspicious/noConsole: a bench prints
console.table(rows)

for (const party of [owner.party, caller, gatehouse.party]) await party.close()
for (const started of [gatehouse.process, bare]) await started.stop()
await postgres.stop()

async function compare(read: () => Promise<void>, bareRead: () => Promise<void>): Promise<Record<string, string>> {
  const costs: [number[], number[]] = [[], []]
  await many(requestsPerRound, read)
  await many(requestsPerRound, bareRead)
  await gatehouse.database.analyze()
  for (let round = 0; round < Number(options.rounds); round++) {
    costs[0].push(await costOf(gatehouse.process, read))
    costs[1].push(await costOf(bare, bareRead))
  }
  const [ours, theirs] = costs.map((measured) => measured.toSorted((one, other) => one - other)[measured.length >> 1] ?? Number.NaN)
  return {
    'gatehouse ms CPU': String(ours?.toFixed(3)),
    'bare route ms CPU': String(theirs?.toFixed(3)),
    ratio: ((ours ?? 0) / (theirs ?? 0)).toFixed(2),
    goal: goal.toFixed(2),
  }
}

/** CPU milliseconds of one request, database included. */
async function costOf(started: StartedProcess, read: () => Promise<void>): Promise<number> {
  await many(requestsPerRound / 5, read)
  const before = { service: cpuMillisecondsOf(started.pid), backends: await gatehouse.database.backends() }
  await many(requestsPerRound, read)
  const service = cpuMillisecondsOf(started.pid) - before.service
  return (service + spentBetween(before.backends, await gatehouse.database.backends())) / requestsPerRound
}

async function signedIn() {
  const party = new RelyingParty(gatehouse.process.origin, { clientId: '', clientSecret: '', redirectUri: '' }, atATime)
  const { csrfToken } = JSON.parse((await party.postJson('/v1/auth/login', gatehouse.owner)).text)
  return { party, headers: { 'x-csrf-token': csrfToken } }
}
