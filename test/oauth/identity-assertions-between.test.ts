import { randomBytes } from 'node:crypto'
import { auth, CrossAppAccessProvider, discoverAndRequestJwtAuthGrant } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { SignedInUser } from '../support/given.ts'
import {
  askForAssertion,
  assertionFor,
  givenAccepting,
  jwtBearer,
  present,
  signAssertion,
  tokenExchange,
  withAssertions,
} from '../support/identity-assertions.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'
import { claimsOf, givenApplication, postForm, TestApplication } from '../support/oauth.ts'
import { grantOf, resourceAuthorizationServer } from '../support/resource-authorization-servers.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

/** An installation at an address of its own, which others can reach. */
async function installation(): Promise<TestService> {
  const port = await freePort()
  return startTestService({ environment: { ...withAssertions, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` } })
}

describe('two installations, one of which issues and one accepts', () => {
  let issues: TestService
  let accepts: TestService
  beforeAll(async () => {
    ;[issues, accepts] = [await installation(), await installation()]
  })
  afterAll(async () => {
    await issues?.stop()
    await accepts?.stop()
  })

  /** Acme, whose people sign in to the editor at Acme, and Books, whose API the editor may use for them. */
  async function companies() {
    const acme = await issues.given.organisation()
    const shop = await givenApplication(issues, { organisation: acme, name: 'Books' })
    const grantTypes = ['authorization_code', tokenExchange]
    const editor = await givenApplication(issues, { organisation: acme, name: 'Editor', grantTypes, requireConsent: false })
    const books = await givenAccepting(
      accepts,
      { issuer: issues.origin },
      { settings: { tenant: acme.id }, registration: { tokenEndpointAuthMethod: 'client_secret_post' } },
    )
    // Known there by what Acme calls its owner.
    await accepts.database
      .tenant(books.organisation.id)
      .updateTable('identities')
      .set({ subject: acme.owner.id })
      .where('connectionId', '=', books.connectionId)
      .execute()
    const { identifier } = books.orders
    const server = await resourceAuthorizationServer(acme.owner, shop.id, {
      issuer: accepts.origin,
      resources: [{ identifier, scopes: ['orders:read', 'orders:write'] }],
      grants: [grantOf(editor.id, { downstreamClientId: books.editor.id, resources: [identifier], scopes: ['orders:read'] })],
    })
    const { id_token } = await editor.signIn({ scope: 'openid' })
    return { acme, editor, books, server, idToken: id_token }
  }

  it('let a client act at the one for a user who signed in at the other', async () => {
    const { editor, books, server, idToken } = await companies()
    const { identifier: resource } = books.orders

    const issued = await askForAssertion(editor, { subject_token: idToken, audience: server.issuer, resource })
    const accepted = await present(books.editor, issued.body.access_token)

    expect(accepted).toMatchObject({ status: 200, body: { scope: 'orders:read' } })
    expect(claimsOf(accepted.body.access_token)).toMatchObject({ iss: accepts.origin, sub: books.userId, aud: resource })
    expect(await present(books.editor, issued.body.access_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('take CrossAppAccessProvider of the MCP client as it is', async () => {
    const { editor, books, idToken } = await companies()
    const { identifier } = books.orders
    const metadata = { resource: identifier, authorization_servers: [accepts.origin], scopes_supported: ['orders:read'] }
    /** The API, which only says where its authorization server is; all else goes over the network. */
    const fetchFn = async (url: string | URL, init?: RequestInit): Promise<Response> =>
      new URL(url).origin === new URL(identifier).origin ? Response.json(metadata) : fetch(url, init)
    const provider = new CrossAppAccessProvider({
      clientId: books.editor.id,
      clientSecret: books.editor.secret ?? '',
      expectedIssuer: accepts.origin,
      fetchFn,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
        const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
          idpUrl: issues.origin,
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken,
          clientId: editor.id,
          clientSecret: editor.secret ?? '',
          ...(scope !== undefined && { scope }),
          fetchFn,
        })
        return jwtAuthGrant
      },
    })

    expect(await auth(provider, { serverUrl: identifier, scope: 'orders:read', fetchFn })).toBe('AUTHORIZED')

    const token = provider.tokens()?.access_token ?? ''
    expect(claimsOf(token)).toMatchObject({ sub: books.userId, aud: identifier, scope: 'orders:read' })
    expect((await books.editor.introspect(token)).body.active).toBe(true)
  })

  it('refuse an assertion of another organisation of the installation that issues', async () => {
    const [one, other] = [await companies(), await companies()]
    const { identifier: resource } = other.books.orders
    const issued = await askForAssertion(other.editor, { subject_token: other.idToken, audience: accepts.origin, resource })
    const claims = claimsOf(issued.body.access_token)
    expect(claims.tenant).toBe(other.acme.id)
    expect(await present(one.books.editor, issued.body.access_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})

describe.runIf(databaseKind() === 'postgres')('an assertion at two processes', () => {
  it('is taken once, of twenty at once at both, and not again after a restart', async () => {
    const account = { email: 'owner@acme.test', password: 'correct horse battery' }
    const home = await processHome()
    const environment = {
      ...home.environment,
      ...withAssertions,
      PUBLIC_URL: 'http://gatehouse.test',
      ALLOW_DEVELOPMENT_ON: 'gatehouse.test',
      SECRET_KEY: randomBytes(32).toString('base64'),
      SYSTEM_API_KEY: 'sk_of_the_processes_that_take_assertions',
      BOOTSTRAP_OWNER_PASSWORD: account.password,
    }
    const started = async () => (await ServiceProcess.start(environment)).ready()
    const provider: IdentityProvider & { close(): Promise<void> } = await listeningProvider()
    const processes = [await started(), await started()]
    try {
      const [first, second] = processes as [ServiceProcess, ServiceProcess]
      const login = await first.anonymous.post('/v1/auth/login', account)
      const owner = new SignedInUser(first.origin, login, account)
      const made = async (path: string, body: object) => {
        const answer = await owner.post(path, body)
        expect(answer).toMatchObject({ status: 201 })
        return answer.body
      }
      const { body: organisation } = await owner.get('/v1/admin/organisation')
      const orders = await made('/v1/admin/resource-servers', {
        ...{ name: 'Orders', identifier: 'https://api.acme.test', scopes: [{ name: 'orders:read', description: null }] },
      })
      const client = await made('/v1/admin/clients', {
        ...{ name: 'Editor', clientType: 'confidential', redirectUris: ['https://editor.acme.test/'], scopes: ['orders:read'] },
        ...{ grantTypes: ['authorization_code', jwtBearer], resourceServerIds: [orders.id] },
      })
      const connection = await made('/v1/admin/connections', {
        ...{ name: 'Workforce', slug: 'workforce', provider: 'oidc', secret: 'secret', provisioning: 'jit' },
        configuration: { issuer: provider.issuer, clientId: 'gatehouse', emailTrust: 'verified_claim', allowedDomains: ['acme.test'] },
        identityAssertions: { accepted: true, resourceServerIds: [orders.id] },
      })
      const applications = processes.map(({ anonymous }) => new TestApplication(anonymous, { ...organisation, owner }, client))
      const accepting = { organisation: { ...organisation, owner }, owner, orders, editor: applications[0] as TestApplication }
      const known = { ...accepting, connectionId: connection.id, userId: '', subject: 'anna' }
      const claims = { ...assertionFor(known, provider, new Date()), email: 'anna@acme.test', email_verified: true }
      expect(await present(applications[0] as TestApplication, await signAssertion(provider, { ...claims, jti: 'first' }))).toMatchObject({
        status: 200,
      })

      const assertion = await signAssertion(provider, claims)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => present(applications[index % 2] as TestApplication, assertion)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

      await second.end()
      processes[1] = await started()
      const headers = (applications[1] as TestApplication).authorization
      const again = await postForm(processes[1].anonymous, '/oauth2/token', { grant_type: jwtBearer, assertion }, headers)
      expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    } finally {
      await Promise.all(processes.map((program) => program.end()))
      await provider.close()
      await home.remove()
    }
  })
})
