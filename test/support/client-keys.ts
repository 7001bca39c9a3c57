import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterAll } from 'vitest'
import type { TestApplication } from './oauth.ts'
import type { TestService } from './service.ts'

/** A key of a client: the private half with which it signs, and the public one that is registered. */
export interface ClientKey {
  alg: string
  kid: string | undefined
  privateKey: CryptoKey
  publicKey: JWK
  /** With its private half, as nothing may ever register it. */
  whole: JWK
}

export async function clientKey(alg: string, kid?: string, options: { modulusLength?: number } = {}): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, ...options })
  const named = kid === undefined ? {} : { kid }
  return {
    alg,
    kid,
    privateKey,
    publicKey: { ...(await exportJWK(publicKey)), ...named },
    whole: { ...(await exportJWK(privateKey)), ...named },
  }
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

let last = 0

interface Assertion {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
}

/** A valid assertion, but for what is given. A claim that is undefined is left out. */
export async function assertionOf(
  { services, clock }: TestService,
  { id }: Pick<TestApplication, 'id'>,
  key: ClientKey,
  { claims = {}, header = {} }: Assertion = {},
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1_000)
  last += 1
  return new SignJWT({ iss: id, sub: id, aud: services.issuer, iat: now, exp: now + 60, jti: `assertion-${last}`, ...claims })
    .setProtectedHeader({ alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }), ...header })
    .sign(key.privateKey)
}

/** The fields by which a client authenticates with an assertion. */
export const byAssertion = (assertion: string) => ({ client_assertion_type: assertionType, client_assertion: assertion })

/** An address at which a client publishes its keys, or whatever else a test lets it answer. */
export async function publishedKeys() {
  const published = {
    ...{ keys: [] as JWK[], status: 200, requests: 0, body: undefined as string | undefined, url: '' },
    /** It answers when this is over. */
    held: undefined as Promise<void> | undefined,
  }
  const server = createServer(async (_, response) => {
    published.requests += 1
    await published.held
    response.writeHead(published.status, { 'content-type': 'application/json' })
    response.end(published.body ?? JSON.stringify({ keys: published.keys }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  published.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
  return published
}
