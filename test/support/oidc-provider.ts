import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type AdapterFactory, type AdapterPayload, type ClientMetadata } from 'oidc-provider'

/**
 * npm oidc-provider on this machine, at which every browser is signed in as one account and agrees to everything.
 *
 * @param asks whether it asks by its own pages, at another site than 127.0.0.1: any login is an account
 */
export async function oidcProvider(client: Pick<ClientMetadata, 'redirect_uris'> & Partial<ClientMetadata>, { asks = false } = {}) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${asks ? 'localhost' : '127.0.0.1'}:${(server.address() as AddressInfo).port}`
  const account: { sub: string; [claim: string]: unknown } = { sub: 'account-1', email: 'ada@example.com', email_verified: true }

  let keys = newKey()
  const cookieKeys = [randomBytes(32).toString('hex')]
  // So that an instance with other keys continues with its sessions and codes.
  const adapter = adapterOver(new Map())
  const create = () =>
    new Provider(issuer, {
      clients: [
        { client_id: 'gatehouse', client_secret: 'secret', grant_types: ['authorization_code'], response_types: ['code'], ...client },
      ],
      adapter,
      cookies: { keys: cookieKeys },
      jwks: { keys: [keys] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      // Named so that it does not ask for them.
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      features: { devInteractions: { enabled: asks }, backchannelLogout: { enabled: true } },
      // Without the guard that would keep its logout tokens from this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as object),
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ ...account, sub: accountId }) }),
      ...(!asks && { interactions: { url: (_context, { uid }) => `/interaction/${uid}` } }),
    })
  let provider = create()
  let handle = provider.callback()
  server.on('request', async (request, response) => {
    if (asks || !request.url?.startsWith('/interaction/')) return handle(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const accountId = account.sub
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
    grant.addOIDCScope('openid profile email')
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId }, consent }, { mergeWithLastSubmission: false })
  })

  return {
    issuer,
    /** Who is signed in there. */
    account,
    /** From now on another key signs, and the one before is published no more. */
    rotateKeys() {
      keys = newKey()
      provider = create()
      handle = provider.callback()
    },
    /** Goes through the provider as a browser does, up to the redirect back. */
    async visit(url: string, cookies = new Map<string, string>()): Promise<URL> {
      let next = new URL(url)
      for (let step = 0; step < 10 && next.origin === issuer; step++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (!location) throw new Error(`${next} answered ${response.status}: ${await response.text()}`)
        next = new URL(location, next)
      }
      return next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: randomUUID(),
})

/** Holds what oidc-provider stores, for as long as a test takes. */
const adapterOver =
  (stored: Map<string, AdapterPayload>): AdapterFactory =>
  (model) => {
    const at = (id: string) => `${model} ${id}`
    return {
      upsert: async (id, payload) => void stored.set(at(id), payload),
      find: async (id) => stored.get(at(id)),
      findByUid: async (uid) => [...stored].find(([key, payload]) => key.startsWith(`${model} `) && payload.uid === uid)?.[1],
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(stored.get(at(id)) ?? {}, { consumed: Math.floor(Date.now() / 1_000) }),
      destroy: async (id) => void stored.delete(at(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key)
      },
    }
  }
