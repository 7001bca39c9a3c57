import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { SignedInUser, TestOrganisation } from './given.ts'
import type { Answer, HttpClient } from './http-client.ts'
import { PageVisitor } from './page-visitor.ts'
import type { TestService } from './service.ts'

type Form = Record<string, string | undefined>

/** The registration of an application, in the API's fields. */
export interface Registration {
  clientType?: 'confidential' | 'public'
  [field: string]: unknown
}

/** An application with its client, in an organisation of its own. Its browser is signed in as the organisation's owner. */
export class TestApplication {
  readonly organisation: TestOrganisation
  readonly id: string
  readonly secret: string | null
  readonly redirectUri: string
  readonly #http: HttpClient

  constructor(
    http: HttpClient,
    organisation: TestOrganisation,
    client: { id: string; clientSecret: string | null; redirectUris: string[] },
  ) {
    this.#http = http
    this.organisation = organisation
    this.id = client.id
    this.secret = client.clientSecret
    this.redirectUri = client.redirectUris[0] ?? ''
  }

  /** The client's authentication. */
  get authorization(): Record<string, string> {
    return this.secret === null ? {} : { authorization: basic(this.id, this.secret) }
  }

  /** Posts a form as the client; `headers` replace its authentication. */
  post(path: string, form: Form, headers: Record<string, string> = this.authorization): Promise<Answer> {
    const identified = this.secret === null ? { client_id: this.id, ...form } : form
    return postForm(this.#http, path, identified, headers)
  }

  token(form: Form, headers?: Record<string, string>): Promise<Answer> {
    return this.post('/oauth2/token', form, headers)
  }

  refresh(refreshToken: string, form: Form = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...form })
  }

  introspect(token: string): Promise<Answer> {
    return this.post('/oauth2/introspect', { token })
  }

  revoke(token: string): Promise<Answer> {
    return this.post('/oauth2/revoke', { token })
  }

  userInfo(accessToken: string): Promise<Answer> {
    return this.#http.get('/oauth2/userinfo', { headers: { authorization: `Bearer ${accessToken}` } })
  }

  /** Sends an authorization request as a browser does, without undefined parameters. */
  authorize(parameters: Form = {}, browser: HttpClient | null = this.organisation.owner): Promise<Answer> {
    const query = { response_type: 'code', client_id: this.id, redirect_uri: this.redirectUri, state: 'xyz', ...parameters }
    return (browser ?? this.#http).get(`/oauth2/authorize?${encode(query)}`)
  }

  /** Gets a code with PKCE for a signed-in user. */
  async code(parameters: Form = {}, browser?: HttpClient): Promise<{ code: string; verifier: string }> {
    const { verifier, challenge } = pkce()
    const answer = await this.authorize({ code_challenge: challenge, code_challenge_method: 'S256', ...parameters }, browser)
    expect(answer).toMatchObject({ status: 302 })
    const code = callbackOf(answer).get('code')
    if (!code) throw new Error(`No code came back: ${answer.headers.get('location')}`)
    return { code, verifier }
  }

  redeem(code: string, verifier: string, form: Form = {}): Promise<Answer> {
    return this.token({ grant_type: 'authorization_code', code, redirect_uri: this.redirectUri, code_verifier: verifier, ...form })
  }

  /** The whole flow: the token response for a signed-in user. */
  async signIn(parameters: Form = {}, browser?: HttpClient) {
    const { code, verifier } = await this.code(parameters, browser)
    const answer = await this.redeem(code, verifier)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body as { access_token: string; refresh_token: string; id_token: string; expires_in: number; scope: string }
  }
}

/** Registers an application as an administrator would. */
export async function givenApplication(
  { anonymous, given }: TestService,
  { organisation, ...registration }: Registration & { organisation?: TestOrganisation } = {},
): Promise<TestApplication> {
  const owner = organisation ?? (await given.organisation())
  const created = await owner.owner.post('/v1/admin/clients', {
    name: 'Portal',
    clientType: 'confidential',
    redirectUris: ['https://portal.example.test/callback'],
    ...registration,
  })
  expect(created).toMatchObject({ status: 201 })
  return new TestApplication(anonymous, owner, created.body)
}

export function postForm(http: HttpClient, path: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> {
  return http.post(path, encode(form), { headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })
}

export function encode(form: Form): string {
  return new URLSearchParams(Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined)).toString()
}

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The parameters of a redirect to the application. */
export function callbackOf(answer: Answer): URLSearchParams {
  return new URL(answer.headers.get('location') ?? 'about:blank').searchParams
}

/** The claims of a JWT, unverified. */
export const claimsOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
export const headerOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString())

export const browserOf = (user: SignedInUser) => new PageVisitor(user.origin, user.cookie)
export const consentPath = (reference: string) => `/oauth2/consent?${new URLSearchParams({ request: reference })}`

/**
 * Submits the consent page in the user's browser.
 *
 * @returns where the browser goes next
 */
export async function decideConsent(
  user: SignedInUser,
  reference: string,
  decision: 'allow' | 'cancel',
  fields: Record<string, string> = {},
): Promise<string> {
  const { body } = await browserOf(user).submit(consentPath(reference), { decision, ...fields })
  return /http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)?.[1] ?? ''
}
