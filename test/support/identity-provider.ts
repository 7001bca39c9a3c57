import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

type Claims = Record<string, unknown>

/** What an identity provider of ours does otherwise than it should. Each member may change between requests. */
export interface Behaviour {
  /** Changes the claims of the ID token. */
  claims: (claims: Claims) => Claims
  header: Partial<JWTHeaderParameters>
  /** Replaces the signed token. */
  idToken: ((token: string) => string | undefined) | undefined
  userInfo: (claims: Claims) => Claims
  metadata: (metadata: Claims) => Claims
  /** Changes the parameters of the redirect back. */
  response: (parameters: Record<string, string>) => Record<string, string>
  /** Takes a request over. */
  intercept: ((path: string, request: Request) => Response | undefined | Promise<Response | undefined>) | undefined
  /** Who is signed in there. */
  user: Claims
  /** The same by the authorization request, where several sign in at once. */
  userOf: ((request: URLSearchParams) => Claims) | undefined
  secrets: string[]
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/**
 * An identity provider whose every answer can be bent. It answers through `fetch`, as any issuer, without a network.
 */
export async function identityProvider({
  issuer,
  clientId = 'gatehouse',
  alg = 'ES256',
  now: clock = () => new Date(),
}: {
  issuer: string
  clientId?: string
  alg?: string
  now?: () => Date
}) {
  const behaviour: Behaviour = {
    claims: (claims) => claims,
    header: {},
    idToken: undefined,
    userInfo: (claims) => claims,
    metadata: (metadata) => metadata,
    response: (parameters) => parameters,
    intercept: undefined,
    user: { sub: 'user-1', email: 'ada@example.com', email_verified: true },
    userOf: undefined,
    secrets: ['secret'],
  }
  const keys = [await newKey(alg)]
  const codes = new Map<string, URLSearchParams>()
  let issued = 0
  /** Paths in the order in which they were asked for. */
  const requests: string[] = []
  /** How the client authenticated at the token endpoint, in the order of its requests. */
  const authentications: ('client_secret_basic' | 'client_secret_post')[] = []

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const base = new URL(issuer).pathname.replace(/\/$/, '')
    const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
    requests.push(path)
    const taken = await behaviour.intercept?.(path, request)
    if (taken) return taken
    switch (path) {
      case '/.well-known/openid-configuration':
        return json(
          behaviour.metadata({
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            userinfo_endpoint: `${issuer}/userinfo`,
            jwks_uri: `${issuer}/jwks`,
            id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519', 'HS256'],
          }),
        )
      case '/jwks':
        return json({ keys: keys.map(({ jwk }) => jwk) })
      case '/authorize':
        return new Response(null, { status: 302, headers: { location: authorize(searchParams) } })
      case '/token':
        return exchange(new URLSearchParams(await request.text()), request.headers.get('authorization'))
      case '/userinfo':
        return json(behaviour.userInfo({ ...behaviour.user }))
      default:
        return json({ error: 'not_found' }, 404)
    }
  }

  /** Signs the user in at once. */
  function authorize(request: URLSearchParams): string {
    const code = `code-${++issued}`
    codes.set(code, request)
    const back = new URL(request.get('redirect_uri') ?? '')
    back.search = new URLSearchParams(behaviour.response({ code, state: request.get('state') ?? '' })).toString()
    return back.href
  }

  async function exchange(form: URLSearchParams, authorization: string | null): Promise<Response> {
    authentications.push(authorization ? 'client_secret_basic' : 'client_secret_post')
    const basic = authorization && Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')[1]
    if (!behaviour.secrets.includes(basic || (form.get('client_secret') ?? ''))) return json({ error: 'invalid_client' }, 401)
    const request = codes.get(form.get('code') ?? '')
    if (!request) return json({ error: 'invalid_grant', error_description: 'unknown code' }, 400)
    codes.delete(form.get('code') ?? '')
    const now = Math.floor(clock().getTime() / 1_000)
    const nonce = request.get('nonce')
    const claims = {
      iss: issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      ...(nonce && { nonce }),
      ...(behaviour.userOf?.(request) ?? behaviour.user),
    }
    const signed = await sign(behaviour.claims(claims))
    return json({ access_token: 'access', token_type: 'Bearer', id_token: behaviour.idToken ? behaviour.idToken(signed) : signed })
  }

  async function sign(claims: Claims): Promise<string> {
    const key = keys[0] as Awaited<ReturnType<typeof newKey>>
    return new SignJWT(claims).setProtectedHeader({ alg, kid: key.jwk.kid, ...behaviour.header }).sign(key.privateKey)
  }

  return {
    issuer,
    behaviour,
    requests,
    authentications,
    authorize,
    sign,
    fetch: async (url: string, init: RequestInit = {}) => answer(new Request(url, init)),
    /** From now on another key signs. The old ones stay published unless they are dropped. */
    async rotateKeys({ drop = false } = {}) {
      keys.splice(0, drop ? keys.length : 0, await newKey(alg))
    },
  }
}

async function newKey(alg: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = crypto.randomUUID()
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg } }
}

export type IdentityProvider = Awaited<ReturnType<typeof identityProvider>>

/** The same as a server on this machine. */
export async function listeningProvider(options: { now?: () => Date } = {}): Promise<IdentityProvider & { close(): Promise<void> }> {
  let provider: IdentityProvider | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET' } = request
    const headers = request.headers as Record<string, string>
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {}
    const answered = await provider?.fetch(`${provider.issuer}${request.url}`, { method, headers, ...body })
    response.writeHead(answered?.status ?? 500, Object.fromEntries(answered?.headers ?? []))
    response.end(await answered?.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider = await identityProvider({ issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options })
  return {
    ...provider,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
