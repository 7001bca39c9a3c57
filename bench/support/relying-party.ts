import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
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

/** A key of ES256: for assertions of a client, or for proofs of possession. */
export class SigningKey {
  readonly publicJwk: JsonWebKey
  readonly #privateKey: KeyObject

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.publicJwk = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
  }

  /** @returns the signed JWT, which counts once */
  signed(header: object, claims: object): string {
    const now = Math.floor(Date.now() / 1_000)
    const parts = [
      { alg: 'ES256', ...header },
      { ...claims, iat: now, exp: now + 60, jti: randomUUID() },
    ]
    const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${content}.${sign('sha256', Buffer.from(content), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
}

/** How a client that authenticates by a key and binds its tokens to another one meets its server. */
export interface Assurance {
  /** As in what it signs: the server may have another address than the one that is called. */
  issuer: string
  key: SigningKey
}

/** A relying party and a signed-in browser in one, with as many connections as it makes requests at a time. */
export class RelyingParty {
  readonly #pool: Pool
  readonly #client: RegisteredClient
  readonly #authorization: string
  readonly #assurance: Assurance | undefined
  readonly #proofKey = new SigningKey()
  readonly #cookies: Map<string, string>

  /** @param browser that of another relying party, which has signed in */
  constructor(
    origin: string,
    client: RegisteredClient,
    connections: number,
    { assurance, browser }: { assurance?: Assurance; browser?: RelyingParty } = {},
  ) {
    this.#cookies = browser ? browser.#cookies : new Map()
    this.#assurance = assurance
    this.#pool = new Pool(origin, { connections })
    this.#client = client
    this.#authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send('GET', path, headers)
  }

  async postForm(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Reply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const [credentials, assertion] = this.#assurance ? [{}, this.#assertion(this.#assurance)] : [{ authorization: this.#authorization }, {}]
    const body = new URLSearchParams({ ...form, ...assertion }).toString()
    return this.#send('POST', path, { ...type, ...credentials, ...headers }, body)
  }

  async postJson(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.#send('POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))
  }

  async token(path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
    const reply = await this.postForm(path, form, headers)
    if (reply.status !== 200) throw new Error(`${form.grant_type}: ${reply.status} ${reply.text}`)
    return JSON.parse(reply.text)
  }

  /** The header that proves possession of the key that tokens of this party are bound to. */
  proof(path: string): Record<string, string> {
    const claims = { htm: 'POST', htu: this.#assurance?.issuer + path }
    return { dpop: this.#proofKey.signed({ typ: 'dpop+jwt', jwk: this.#proofKey.publicJwk }, claims) }
  }

  /** The whole code flow of a user who is signed in: authorization request, its redirects, token request. */
  async codeFlow(authorizePath: string, tokenPath: string, headers: Record<string, string> = {}): Promise<Tokens> {
    const { verifier, parameters } = this.#request()
    const query = new URLSearchParams({ client_id: this.#client.clientId, ...parameters })
    return this.#redeem(`${authorizePath}?${query}`, verifier, tokenPath, headers)
  }

  /** The same with a pushed request and bound tokens. */
  async pushedCodeFlow(pushPath: string, authorizePath: string, tokenPath: string): Promise<Tokens> {
    const { verifier, parameters } = this.#request()
    const pushed = await this.postForm(pushPath, parameters)
    if (pushed.status !== 201) throw new Error(`pushed request: ${pushed.status} ${pushed.text}`)
    const query = new URLSearchParams({ client_id: this.#client.clientId, request_uri: JSON.parse(pushed.text).request_uri })
    return this.#redeem(`${authorizePath}?${query}`, verifier, tokenPath, {}, this.proof(tokenPath))
  }

  #request() {
    const verifier = randomBytes(32).toString('base64url')
    const parameters = {
      response_type: 'code',
      redirect_uri: this.#client.redirectUri,
      scope: 'openid profile email offline_access',
      state: 'state',
      nonce: 'nonce',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    return { verifier, parameters }
  }

  async #redeem(
    address: string,
    verifier: string,
    tokenPath: string,
    headers: Record<string, string>,
    proof: Record<string, string> = {},
  ): Promise<Tokens> {
    let reply = await this.get(address, headers)
    while (reply.location && !reply.location.startsWith(this.#client.redirectUri)) {
      reply = await this.get(pathOf(reply.location), headers)
    }
    const code = reply.location && new URL(reply.location).searchParams.get('code')
    if (!code) throw new Error(`no code: ${reply.status} ${reply.location} ${reply.text.slice(0, 300)}`)
    const form = { grant_type: 'authorization_code', code, redirect_uri: this.#client.redirectUri, code_verifier: verifier }
    return this.token(tokenPath, form, { ...headers, ...proof })
  }

  #assertion({ issuer, key }: Assurance): Record<string, string> {
    const { clientId } = this.#client
    return {
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: key.signed({}, { iss: clientId, sub: clientId, aud: issuer }),
    }
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
