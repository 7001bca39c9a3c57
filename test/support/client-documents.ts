import { expect } from 'vitest'
import { assertionOf, byAssertion, type ClientKey } from './client-keys.ts'
import { verifiedDomain } from './domains.ts'
import { type SignedInUser, type TestOrganisation, unique } from './given.ts'
import type { Answer } from './http-client.ts'
import { callbackOf, decideConsent, encode, pkce, postForm } from './oauth.ts'
import type { Hook, Receiver } from './receiver.ts'
import { type GivenResourceServer, resourceServer } from './resource-servers.ts'
import type { TestService } from './service.ts'

type Form = Record<string, string | undefined>

/** What a service needs for clients with documents. */
export const extensions = 'resource_indicators,client_metadata_documents'

const scopes = [{ name: 'orders:read', description: 'Read your orders' }]

/** An organisation with a resource server at a domain that it has verified, which automatic clients may use. */
export async function resourceForAll(
  service: TestService,
  given: { organisation?: TestOrganisation; fields?: Record<string, unknown> } = {},
) {
  const organisation = given.organisation ?? (await service.given.organisation())
  const { owner } = organisation
  const domain = await verifiedDomain(service, owner)
  const resource = await resourceServer(owner, {
    identifier: `https://mcp.${domain.domain}/${unique()}`,
    scopes,
    allowsAutomaticClients: true,
    ...given.fields,
  })
  return { organisation, owner, domain, resource }
}

/** An application with a document at a real https address. */
class DocumentClient {
  readonly hook: Hook
  readonly redirectUri: string
  readonly #service: TestService
  /** The members of the document. */
  document: Record<string, unknown>
  /** The key with which it authenticates; undefined if it does not. */
  key: ClientKey | undefined

  constructor(service: TestService, hook: Hook, fields: Record<string, unknown>) {
    this.#service = service
    this.hook = hook
    this.redirectUri = `${new URL(hook.url).origin}/callback`
    this.document = {
      client_id: hook.url,
      client_name: 'Agent',
      redirect_uris: [this.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...fields,
    }
    hook.answer = () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(this.document) })
  }

  get id(): string {
    return this.hook.url
  }

  authorize(
    browser: { get(path: string): Promise<Answer> },
    resource: GivenResourceServer | undefined,
    parameters: Form = {},
  ): Promise<Answer> {
    const query = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      state: 'xyz',
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      resource: resource?.identifier,
      ...parameters,
    }
    return browser.get(`/oauth2/authorize?${encode(query)}`)
  }

  /** Opens the consent page. @returns the reference of the request */
  async ask(user: SignedInUser, resource: GivenResourceServer, parameters: Form = {}): Promise<string> {
    const answer = await this.authorize(user, resource, parameters)
    const address = new URL(answer.headers.get('location') ?? '', 'http://x')
    expect([answer.status, address.pathname, answer.status === 400 ? answer.body : '']).toEqual([302, '/oauth2/consent', ''])
    return address.searchParams.get('request') ?? ''
  }

  /** The whole flow, with consent if it is asked for. */
  async signIn(user: SignedInUser, resource: GivenResourceServer, parameters: Form = {}) {
    const { verifier, challenge } = pkce()
    let answer = await this.authorize(user, resource, { code_challenge: challenge, ...parameters })
    const asked = new URL(answer.headers.get('location') ?? '', 'http://x')
    if (asked.pathname === '/oauth2/consent') {
      answer = await user.get(await decideConsent(user, asked.searchParams.get('request') ?? '', 'allow'))
    }
    const code = callbackOf(answer).get('code')
    if (code === null)
      throw new Error(`No code came back: ${answer.status} ${answer.headers.get('location')} ${JSON.stringify(answer.body)}`)
    return { code, verifier, ...(await this.redeem(code, verifier, parameters)) }
  }

  async redeem(code: string, verifier: string, { redirect_uri = this.redirectUri, resource }: Form = {}) {
    const answer = await this.token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, resource })
    return { answer, tokens: answer.body as { access_token: string; refresh_token: string; id_token: string; expires_in: number } }
  }

  token(form: Form): Promise<Answer> {
    return this.post('/oauth2/token', form)
  }

  /** Sends a form, signed if the client has a key. */
  async post(path: string, form: Form): Promise<Answer> {
    const proof = this.key && byAssertion(await assertionOf(this.#service, this, this.key))
    return postForm(this.#service.anonymous, path, { client_id: this.id, ...form, ...proof })
  }

  refresh(refreshToken: string): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  revoke(token: string): Promise<Answer> {
    return this.post('/oauth2/revoke', { token })
  }
}

export const documentClient = (service: TestService, receiver: Receiver, fields: Record<string, unknown> = {}) =>
  new DocumentClient(service, receiver.hook(), fields)

/** All tests of a file name documents of one host, from one address, more often in a minute than applications do. */
export async function forgetFetches({ services: { limits }, origin }: TestService, { port }: Receiver): Promise<void> {
  const address = new URL(origin).hostname
  await Promise.all([
    limits.newClientDocumentsByAddress.forget(address),
    limits.newClientDocumentsByHost.forget(`localhost:${port}`),
    limits.clientDocumentsByHost.forget(`localhost:${port}`),
  ])
}

/** The rows that an organisation has of automatic clients. */
export async function automaticClients({ owner }: TestOrganisation): Promise<Record<string, unknown>[]> {
  const { body } = await owner.get('/v1/admin/clients')
  return body.data.filter(({ origin }: { origin: string }) => origin !== 'admin')
}
