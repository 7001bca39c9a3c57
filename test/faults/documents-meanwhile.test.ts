/** Documents of applications that change while a user allows the application: the two are at processes that wait for each other. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { automaticClients, documentClient, extensions, resourceForAll } from '../support/client-documents.ts'
import { type ClientKey, clientKey } from '../support/client-keys.ts'
import { freshEngine } from '../support/database.ts'
import { decideConsent } from '../support/oauth.ts'
import { useReceiver } from '../support/receiver.ts'
import { type RecordingEngine, recordingEngine } from '../support/recording-engine.ts'
import { startTestService, type TestService } from '../support/service.ts'

const receiver = await useReceiver()
const [first, second] = [await clientKey('ES256', 'first'), await clientKey('EdDSA', 'second')]
let engine: RecordingEngine
let service: TestService
beforeAll(async () => {
  engine = recordingEngine(await freshEngine())
  const environment = { OAUTH_EXTENSIONS: `${extensions},private_key_jwt`, RATE_LIMIT: 'off' }
  service = await startTestService({ engine, environment, outgoing: { ca: receiver.ca } })
})
afterAll(() => service?.stop())

const published = (...keys: ClientKey[]) => ({ keys: keys.map(({ publicKey }) => publicKey) })

/** A client that a user has allowed, and whose document withdraws the first of its two keys. */
async function allowedClient() {
  const given = await resourceForAll(service)
  const client = documentClient(service, receiver, { token_endpoint_auth_method: 'private_key_jwt', jwks: published(first, second) })
  client.key = first
  const { tokens } = await client.signIn(given.owner, given.resource)
  let { refresh_token: token } = tokens
  const refreshBy = async (key: ClientKey) => {
    client.key = key
    const answer = await client.refresh(token)
    if (answer.status === 200) token = answer.body.refresh_token
    return answer
  }
  const withdraw = () => {
    client.document.jwks = published(second)
    service.clock.advance({ seconds: 301 })
  }
  return { ...given, client, refreshBy, withdraw }
}

const holdBack = (text: string) => engine.holdBack(text, { ofRequests: true, firstOnly: true, inTransactions: true })

/** Whether the service has begun to store what it has fetched. */
const isStoring = () => engine.statements.some(({ query }) => query.sql.includes('insert into "client_documents"'))

it('a key that was withdrawn does not return with a user who was asked before', async () => {
  const { owner, organisation, resource, client, refreshBy, withdraw } = await allowedClient()
  const reference = await client.ask(owner, resource, { prompt: 'consent' })
  const release = holdBack('update "authorization_requests"')
  const decided = decideConsent(owner, reference, 'allow')
  await release.reached
  withdraw()
  expect(await refreshBy(second)).toMatchObject({ status: 200 })
  release()
  await decided

  expect(await automaticClients(organisation)).toMatchObject([{ jwks: published(second) }])
  expect(await refreshBy(first)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(await refreshBy(second)).toMatchObject({ status: 200 })
})

it('a key that is withdrawn is withdrawn from an organisation that gets the application meanwhile', async () => {
  const { client, refreshBy, withdraw } = await allowedClient()
  const other = await resourceForAll(service)
  const reference = await client.ask(other.owner, other.resource)
  const release = holdBack('insert into "clients"')
  const decided = decideConsent(other.owner, reference, 'allow')
  await release.reached
  withdraw()
  engine.statements.length = 0
  const refreshed = refreshBy(second)
  await expect.poll(isStoring, { interval: 5 }).toBe(true)
  release()
  expect(await refreshed).toMatchObject({ status: 200 })
  await decided

  expect(await automaticClients(other.organisation)).toMatchObject([{ jwks: published(second) }])
})
