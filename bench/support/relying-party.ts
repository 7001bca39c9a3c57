import { createHash, randomBytes } from 'node:crypto'
import { Pool } from 'undici'

export interface Reply {
  status: number
  location: string | undefined
  cookies: string[]
  text: string
}

export interface Tokens {
  access_token: string
  refresh_token?: string
}

export interface RegisteredClient {
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** A relying party and a signed-in browser in one, with as many connections as it makes requests at a time. */
export class RelyingParty {
  readonly #pool: Pool
  readonly #client: RegisteredClient
  readonly #authorization: string
  readonly #cookies = new Map<string, string>()

  constructor(origin: string, client: RegisteredClient, connections: number) {
    this.#pool = new Pool(origin, { connections })
    this.#client = client
    this.#authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send('GET', path, headers)
  }

  async postForm(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#send('POST', path, { ...type, authorization: this.#authorization, ...headers }, new URLSearchParams(form).toString())
  }

  async postJson(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
  }

  async token(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
    const reply = await this.postForm(path, form, headers)
    if (reply.status !== 200) throw new Error(`${form.grant_type}: ${reply.status} ${reply.text}`)
    return JSON.parse(reply.text)
  }

  /** The whole code flow of a user who is signed in: authorization request, its redirects, token request. */
  async codeFlow(authorizePath: string, tokenPath: string, headers: Record<string, string> = {}): Promise<Tokens> {
    const verifier = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#client.clientId,
      redirect_uri: this.#client.redirectUri,
      scope: 'openid profile email offline_access',
      state: 'state',
      nonce: 'nonce',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    let reply = await this.get(`${authorizePath}?${query}`, headers)
    while (reply.location && !reply.location.startsWith(this.#client.redirectUri)) {
      reply = await this.get(pathOf(reply.location), headers)
    }
    const code = reply.location && new URL(reply.location).searchParams.get('code')
    if (!code) throw new Error(`no code: ${reply.status} ${reply.location} ${reply.text.slice(0, 300)}`)
    const form = { grant_type: 'authorization_code', code, redirect_uri: this.#client.redirectUri, code_verifier: verifier }
    return this.token(tokenPath, form, headers)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #send(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...headers, ...(cookie && { cookie }) }
    const response = await this.#pool.request({ method, path, headers: sent, ...(body !== undefined && { body }) })
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    for (const line of cookies) this.#keepCookie(line)
    return {
      status: response.statusCode,
      location: String(response.headers.location ?? '') || undefined,
      cookies,
      text: await response.body.text(),
    }
  }

  #keepCookie(line: string): void {
    const [pair = ''] = line.split(';')
    const name = pair.slice(0, pair.indexOf('='))
    const value = pair.slice(name.length + 1)
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function pathOf(location: string): string {
  const url = new URL(location, 'http://origin.invalid')
  return url.pathname + url.search
}
