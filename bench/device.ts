/**
 * CPU time, of the service and of its database, for the whole flow of a device: its codes, twelve polls, the user who allows it, and the
 * tokens: `npm run bench:device -- --flows 500 --rounds 5`. Linux.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startGatehouse } from './support/contestants.ts'
import { cpuMillisecondsOf } from './support/cpu.ts'
import { spentBetween, startMeasuredPostgres } from './support/database-load.ts'
import { succeeded } from './support/oauth-operations.ts'
import { RelyingParty } from './support/relying-party.ts'

const { values: options } = parseArgs({ options: { flows: { type: 'string', default: '500' }, rounds: { type: 'string', default: '5' } } })
const flows = Number(options.flows)
const rounds = Number(options.rounds)
const devices = 16
const polls = 12
const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

const postgres = await startMeasuredPostgres()
const {
  process: started,
  database,
  party: administrator,
  owner,
} = await startGatehouse(postgres, 1, [], {
  environment: { OAUTH_EXTENSIONS: 'device' },
})
const client = await registerClient()
// Each with a browser of its own, whose cookie says which code was entered.
const parties = await Promise.all(
  Array.from({ length: devices }, async () => {
    const party = new RelyingParty(started.origin, { ...client, redirectUri: '' }, 1)
    succeeded(await party.postJson('/v1/auth/login', { email: 'user@bench.test', password: owner.password }))
    return party
  }),
)

await run(flows)
await database.analyze()
const statements = (await database.countStatements(() => run(flows))) / flows
for (let round = 0; round < rounds; round++) {
  const before = { service: cpuMillisecondsOf(started.pid), backends: await database.backends() }
  await run(flows)
  const service = (cpuMillisecondsOf(started.pid) - before.service) / flows
  const ofDatabase = spentBetween(before.backends, await database.backends()) / flows
  process.stdout.write(`${service.toFixed(2)} + ${ofDatabase.toFixed(2)} ms a flow, ${statements.toFixed(1)} statements\n`)
}

for (const party of [administrator, ...parties]) await party.close()
await started.stop()
await postgres.stop()

async function registerClient(): Promise<{ clientId: string; clientSecret: string }> {
  const { text } = await administrator.postJson('/v1/auth/login', owner)
  const registration = { name: 'Television', clientType: 'confidential', grantTypes: [grantType, 'refresh_token'] }
  const registered = await administrator.postJson('/v1/admin/clients', registration, { 'x-csrf-token': JSON.parse(text).csrfToken })
  return JSON.parse(registered.text)
}

async function run(count: number): Promise<void> {
  let left = count
  await Promise.all(
    parties.map(async (party) => {
      while (left-- > 0) await flow(party)
    }),
  )
}

async function flow(party: RelyingParty): Promise<void> {
  const asked = await party.postForm('/oauth2/device_authorization', { scope: 'openid offline_access' })
  succeeded(asked)
  const { device_code: deviceCode, user_code: userCode } = JSON.parse(asked.text)
  const form = { grant_type: grantType, device_code: deviceCode }
  for (let poll = 0; poll < polls; poll++) {
    const { text } = await party.postForm('/oauth2/token', form)
    // The second one comes too soon, and costs as much.
    if (!/authorization_pending|slow_down/.test(text)) throw new Error(`poll: ${text}`)
  }
  const browser = { authorization: '' }
  const formToken = fieldIn((await party.get('/device')).text, 'formToken')
  const entered = await party.postForm('/device', { formToken, userCode }, browser)
  if (entered.location !== '/device/confirm') throw new Error(`code: ${entered.status} ${entered.text.slice(0, 300)}`)
  const page = (await party.get('/device/confirm')).text
  const decision = { formToken: fieldIn(page, 'formToken'), request: fieldIn(page, 'request'), decision: 'allow' }
  succeeded(await party.postForm('/device/confirm', decision, browser))
  await party.token('/oauth2/token', form)
}

function fieldIn(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
  if (value === undefined) throw new Error(`no ${name}: ${page.slice(0, 300)}`)
  return value
}
