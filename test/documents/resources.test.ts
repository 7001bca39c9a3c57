import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindingVariables, boundTokens } from '../support/bound-tokens.ts'
import { freePort } from '../support/free-port.ts'
import { codeIn } from '../support/languages.ts'
import { givenApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({ environment: { ...bindingVariables('resource_indicators'), PORT: String(port), PUBLIC_URL: issuer } })

let folder: string
const apis: Worker[] = []
beforeAll(async () => {
  // Inside the project, so that the code finds its packages.
  await mkdir('coverage', { recursive: true })
  folder = await mkdtemp(join('coverage', 'resources-'))
})
afterAll(async () => {
  await Promise.all(apis.map((api) => api.terminate()))
  await rm(folder, { recursive: true, force: true })
})

const runner = `
import { parentPort, workerData } from 'node:worker_threads'
import { createApi } from './resources.ts'
const { port, ...options } = workerData
await createApi(options).listen({ host: '127.0.0.1', port })
parentPort.postMessage('ready')
`

/** The API of docs/resources.md, which listens where its identifier says: in a thread, since it is no part of this service. */
async function documentedApi(identifier: string) {
  await writeFile(join(folder, 'resources.ts'), codeIn(await readFile('docs/resources.md', 'utf8'), 'ts'))
  await writeFile(join(folder, 'runner.ts'), runner)
  const workerData = { issuer, identifier, port: Number(new URL(identifier).port) }
  const api = new Worker(join(process.cwd(), folder, 'runner.ts'), { workerData })
  apis.push(api)
  await once(api, 'message')
}

const insecure = { [oauth.allowInsecureRequests]: true }

describe('the API of docs/resources.md', () => {
  it('leads oauth4webapi by its metadata to a token that it accepts, and refuses one for another API', async () => {
    const { owner, ...organisation } = await service().given.organisation()
    const identifier = `http://127.0.0.1:${await freePort()}/orders`
    const orders = await resourceServer(owner, { identifier })
    const other = await resourceServer(owner)
    const app = await givenApplication(service(), {
      organisation: { owner, ...organisation },
      ...{ grantTypes: ['client_credentials'], redirectUris: [], scopes: ['orders:read'], resourceServerIds: [orders.id, other.id] },
    })
    await documentedApi(identifier)

    const refused = await fetch(identifier)
    expect(refused.status).toBe(401)
    const published = (await owner.get(`/v1/admin/resource-servers/${orders.id}/metadata`)).body
    expect(refused.headers.get('www-authenticate')).toBe(published.wwwAuthenticate)

    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(identifier),
      await oauth.resourceDiscoveryRequest(new URL(identifier), insecure),
    )
    const { resource_name, ...document } = published.document
    expect(resource).toEqual(document)
    const found = new URL(resource.authorization_servers?.[0] ?? '')
    const as = await oauth.processDiscoveryResponse(found, await oauth.discoveryRequest(found, { algorithm: 'oauth2', ...insecure }))
    const client = { client_id: app.id }
    const tokenFor = async (audience: string) => {
      const authentication = oauth.ClientSecretBasic(app.secret ?? '')
      const parameters = new URLSearchParams({ resource: audience, scope: 'orders:read' })
      const response = await oauth.clientCredentialsGrantRequest(as, client, authentication, parameters, insecure)
      return (await oauth.processClientCredentialsResponse(as, client, response)).access_token
    }
    const call = async (token: string) => {
      const response = await fetch(identifier, { headers: { authorization: `Bearer ${token}` } })
      return response.status
    }

    const token = await tokenFor(resource.resource)
    expect(await call(token)).toBe(200)
    expect(await call(await tokenFor(other.identifier))).toBe(401)
    const bound = await boundTokens(service(), app, async () => ({
      ...{ grant_type: 'client_credentials', resource: identifier, scope: 'orders:read' },
    }))
    for (const [to, boundToken] of Object.entries(bound)) expect([to, await call(boundToken)]).toEqual([to, 401])
    const request = new Request(identifier, { headers: { authorization: `Bearer ${token}` } })
    await expect(oauth.validateJwtAccessToken(as, request, identifier, insecure)).resolves.toMatchObject({ aud: identifier })
    await expect(oauth.validateJwtAccessToken(as, request, other.identifier, insecure)).rejects.toThrow()
  })
})
