import { createHash, X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AccessRefused, createVerifier, type ProofStore, type VerifierOptions } from '../../packages/api/src/index.ts'

import { type ClientKey, clientKey } from '../support/client-keys.ts'
import { freePort } from '../support/free-port.ts'
import { claimsOf, givenApplication, type TestApplication } from '../support/oauth.ts'
import { resourceServer } from '../support/resource-servers.ts'
import { samlProvider } from '../support/saml-provider.ts'
import { useService } from '../support/service.ts'

const port = await freePort()
const issuer = `http://127.0.0.1:${port}`
const service = useService({ environment: { PORT: String(port), PUBLIC_URL: issuer, OAUTH_EXTENSIONS: 'dpop,resource_indicators' } })

const baseUrl = 'https://api.example.test/v2'
const algorithms = 'ES256 EdDSA Ed25519 PS256 RS256'
const nonceSecret = 'thirty-two characters of a secret'

interface World {
  app: TestApplication
  audience: string
  bearerToken: string
  /** Bound to `key`. */
  token: string
  key: ClientKey
  other: ClientKey
}

let world: World
beforeAll(async () => {
  const organisation = await service().given.organisation()
  const orders = await resourceServer(organisation.owner)
  const app = await givenApplication(service(), {
    organisation,
    grantTypes: ['client_credentials'],
    scopes: ['orders:read'],
    resourceServerIds: [orders.id],
  })
  const { body } = await app.token({ grant_type: 'client_credentials', resource: orders.identifier, scope: 'orders:read' })
  const [key, other] = [await clientKey('ES256'), await clientKey('ES256')]
  const bearerToken: string = body.access_token
  world = { app, audience: orders.identifier, bearerToken, token: bearerToken, key, other }
  world.token = await bound({ jkt: await calculateJwkThumbprint(key.publicKey) })
})

/** A token as the service signs it, bound to something. */
async function bound(cnf: unknown): Promise<string> {
  const key = await service().services.signingKeys.signer('EdDSA')
  return new SignJWT({ ...claimsOf(world.bearerToken), cnf })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.id, typ: 'at+jwt' })
    .sign(key.privateKey)
}

const clock = () => service().clock.now().getTime()
const seconds = () => Math.floor(clock() / 1_000)

const verifierOf = (options: Partial<VerifierOptions> = {}) =>
  createVerifier({ issuer, audience: world.audience, clock, dpop: 'accepted', baseUrl, ...options })

interface Bent {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  by?: ClientKey
  of?: string
}

let last = 0

/** A valid proof for `GET /orders`, but for what is given. A claim that is undefined is left out. */
async function proofOf({ claims = {}, header = {}, by = world.key, of = world.token }: Bent = {}): Promise<string> {
  last += 1
  const ath = createHash('sha256').update(of).digest('base64url')
  return new SignJWT({ jti: `proof-${last}`, htm: 'GET', htu: `${baseUrl}/orders`, iat: seconds(), ath, ...claims })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: by.alg, jwk: by.publicKey, ...header })
    .sign(by.privateKey)
}

const requestWith = (authorization: string, dpop?: string) => ({
  method: 'GET',
  url: '/orders?page=2',
  headers: { authorization, ...(dpop !== undefined && { dpop }) },
})

const refusalOf = (refused: Promise<unknown>): Promise<AccessRefused> =>
  refused.then(
    () => expect.fail('it was accepted'),
    (error) => {
      expect(error).toBeInstanceOf(AccessRefused)
      return error
    },
  )

describe('a verifier that takes tokens with a proof', () => {
  it('accepts a bound token with a proof of its key', async () => {
    const request = requestWith(`DPoP ${world.token}`, await proofOf())
    expect(await verifierOf().verify(request, { scope: 'orders:read' })).toMatchObject({ token: world.token, clientId: world.app.id })
  })

  it('accepts what openid-client sends to an API in Express, which repeats the request with the nonce of the API', async () => {
    const app = express()
    const api = express.Router()
    const port = await freePort()
    const verifier = verifierOf({ dpop: 'required', baseUrl: `http://127.0.0.1:${port}`, dpopNonceSecret: nonceSecret })
    const statuses: number[] = []
    app.use((_, response, next) => {
      response.on('finish', () => statuses.push(response.statusCode))
      next()
    })
    api.post('/orders', verifier.forExpress({ scope: 'orders:read' }), (request, response) => void response.json(request.auth?.scopes))
    app.use('/v2', api)
    const server = await listening(createServer(app), port)
    const basic = client.ClientSecretBasic(world.app.secret ?? '')
    const config = await client.discovery(new URL(issuer), world.app.id, undefined, basic, { execute: [client.allowInsecureRequests] })
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const { access_token: token } = await client.clientCredentialsGrant(
      config,
      { scope: 'orders:read', resource: world.audience },
      { DPoP },
    )

    const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v2/orders?page=2`)
    const served = await client.fetchProtectedResource(config, token, address, 'POST', undefined, undefined, { DPoP })

    expect(await served.json()).toEqual(['orders:read'])
    expect(statuses).toEqual([401, 200])
  })

  it('takes the whole address of a request where no base is given, and demands one where there is none', async () => {
    const { token } = world
    const claims = { htu: 'https://orders.example.test/orders' }
    const whole = new Request('https://orders.example.test/orders?page=2#end', {
      headers: { authorization: `DPoP ${token}`, dpop: await proofOf({ claims }) },
    })
    const { baseUrl: _, ...withoutBase } = { issuer, audience: world.audience, clock, dpop: 'required' as const, baseUrl }
    expect(await createVerifier(withoutBase).verify(whole)).toMatchObject({ token })
    const halved = requestWith(`DPoP ${token}`, await proofOf())
    await expect(createVerifier(withoutBase).verify(halved)).rejects.toThrow('DPoP needs the baseUrl of the API')
  })

  it('puts its base before the path of a request that a proxy has passed on', async () => {
    const passedOn = new Request('http://10.0.0.7:4000/orders', {
      headers: { authorization: `DPoP ${world.token}`, dpop: await proofOf({ claims: { htu: 'https://API.example.test:443/v2/orders' } }) },
    })
    expect(await verifierOf().verify(passedOn)).toMatchObject({ token: world.token })
  })

  it.each<[string, () => Bent]>([
    ['for another method', () => ({ claims: { htm: 'POST' } })],
    ['whose method is written otherwise', () => ({ claims: { htm: 'get' } })],
    ['for another path', () => ({ claims: { htu: `${baseUrl}/bills` } })],
    ['for another host', () => ({ claims: { htu: 'https://other.example.test/v2/orders' } })],
    ['for the host that begins alike', () => ({ claims: { htu: 'https://api.example.test.evil.test/v2/orders' } })],
    ['for http', () => ({ claims: { htu: 'http://api.example.test/v2/orders' } })],
    ['for no address', () => ({ claims: { htu: '/orders' } })],
    ['for another token', () => ({ of: world.bearerToken })],
    ['for no token', () => ({ claims: { ath: undefined } })],
    ['that is 66 seconds old', () => ({ claims: { iat: seconds() - 66 } })],
    ['of the future', () => ({ claims: { iat: seconds() + 6 } })],
    ['without a time', () => ({ claims: { iat: undefined } })],
    ['that has expired', () => ({ claims: { exp: seconds() - 6 } })],
    ['without an id', () => ({ claims: { jti: undefined } })],
    ['with an empty id', () => ({ claims: { jti: '' } })],
    ['with an id of 256 characters', () => ({ claims: { jti: 'a'.repeat(256) } })],
    ['of another type', () => ({ header: { typ: 'JWT' } })],
    ['without a key', () => ({ header: { jwk: undefined } })],
    ['that names a key which has not signed it', () => ({ by: { ...world.key, privateKey: world.other.privateKey } })],
    ['that shows its private key', () => ({ header: { jwk: world.key.whole } })],
    ['of 9,000 characters', () => ({ claims: { more: 'a'.repeat(9_000) } })],
  ])('refuses a proof %s', async (_, bent) => {
    const refused = await refusalOf(verifierOf().verify(requestWith(`DPoP ${world.token}`, await proofOf(bent()))))
    expect(refused).toMatchObject({ status: 401, code: 'invalid-dpop-proof' })
    expect(refused.headers.get('www-authenticate')).toMatch(
      new RegExp(`^DPoP error="invalid_dpop_proof", error_description="[^"]+", algs="${algorithms}", Bearer$`),
    )
  })

  it('refuses a proof that is signed with a shared secret or with nothing', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [, payload] = (await proofOf()).split('.')
    const oct = { kty: 'oct', k: 'c2VjcmV0' }
    const symmetric = await new SignJWT({ jti: 'symmetric' })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256', jwk: oct as never })
      .sign(new TextEncoder().encode('secret'.padEnd(32)))
    for (const proof of [`${part({ typ: 'dpop+jwt', alg: 'none', jwk: world.key.publicKey })}.${payload}.`, symmetric, 'no proof', 'a, b'])
      await expect(verifierOf().verify(requestWith(`DPoP ${world.token}`, proof))).rejects.toMatchObject({ code: 'invalid-dpop-proof' })
  })

  it('refuses a request without a proof', async () => {
    await expect(verifierOf().verify(requestWith(`DPoP ${world.token}`))).rejects.toMatchObject({ code: 'invalid-dpop-proof' })
  })

  it('refuses a valid proof of another key', async () => {
    const refused = await refusalOf(verifierOf().verify(requestWith(`DPoP ${world.token}`, await proofOf({ by: world.other }))))
    expect(refused).toMatchObject({ status: 401, code: 'invalid-token', detail: 'The token is bound to another key' })
  })

  it('refuses the second use of a proof, of ten at once all but one, and of processes with one store as well', async () => {
    const used = new Map<string, Date>()
    const proofStore: ProofStore = {
      async claim(id, expiresAt) {
        const isFirst = !used.has(id)
        used.set(id, expiresAt)
        return isFirst
      },
    }
    const verifiers = [verifierOf({ proofStore }), verifierOf({ proofStore })]
    const iat = seconds()
    const request = requestWith(`DPoP ${world.token}`, await proofOf({ claims: { iat } }))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => verifiers[index % 2]?.verify(request)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // A proof may be 5 seconds ahead, and is forgotten when it is refused for its age.
    expect([...used.values()]).toEqual([new Date((iat + 66) * 1_000)])

    const own = verifierOf()
    await own.verify(requestWith(`DPoP ${world.token}`, await proofOf({ claims: { jti: 'once' } })))
    const refused = await refusalOf(own.verify(requestWith(`DPoP ${world.token}`, await proofOf({ claims: { jti: 'once' } }))))
    expect(refused).toMatchObject({ code: 'invalid-dpop-proof', detail: 'The DPoP proof has been used' })
  })

  it('gives nonces that count for five to ten minutes, and demands one of them', async () => {
    let now = 1_800_000_000_000
    const verifier = verifierOf({ dpopNonceSecret: nonceSecret, clock: () => now })
    const issued = { ...claimsOf(world.bearerToken), iat: now / 1_000, exp: now / 1_000 + 3_600 }
    const signer = await service().services.signingKeys.signer('EdDSA')
    const token = await new SignJWT({ ...issued, cnf: { jkt: await calculateJwkThumbprint(world.key.publicKey) } })
      .setProtectedHeader({ alg: 'EdDSA', kid: signer.id, typ: 'at+jwt' })
      .sign(signer.privateKey)
    const verify = async (nonce?: unknown) =>
      verifier.verify(requestWith(`DPoP ${token}`, await proofOf({ of: token, claims: { iat: now / 1_000, nonce } })))

    const refused = await refusalOf(verify())
    expect(refused).toMatchObject({ status: 401, code: 'use-dpop-nonce' })
    expect(refused.headers.get('www-authenticate')).toContain('DPoP error="use_dpop_nonce"')
    const nonce = refused.headers.get('dpop-nonce')
    await verify(nonce)
    now += 300_000
    await verify(nonce)
    now += 300_000
    const late = await refusalOf(verify(nonce))
    expect(late.code).toBe('use-dpop-nonce')
    expect(late.headers.get('dpop-nonce')).not.toBe(nonce)
    await expect(verify([nonce])).rejects.toMatchObject({ code: 'use-dpop-nonce' })
    expect(() => verifierOf({ dpopNonceSecret: 'short' })).toThrow('dpopNonceSecret is too short')
  })

  it('takes bearer tokens besides, unless it requires proofs', async () => {
    const { bearerToken } = world
    expect(await verifierOf().verify(requestWith(`Bearer ${bearerToken}`))).toMatchObject({ token: bearerToken })
    const refused = await refusalOf(verifierOf({ dpop: 'required' }).verify(requestWith(`Bearer ${bearerToken}`)))
    expect(refused.headers.get('www-authenticate')).toBe(
      `DPoP error="invalid_token", error_description="The token has to be bound to a key", algs="${algorithms}"`,
    )
  })

  it('refuses a bearer token that is presented as a bound one', async () => {
    const { bearerToken } = world
    const request = requestWith(`DPoP ${bearerToken}`, await proofOf({ of: bearerToken }))
    await expect(verifierOf().verify(request)).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
  })

  it.each(['off', 'accepted', 'required'] as const)(
    'refuses a bound token as a bearer token, with a proof or without, when it is %s',
    async (dpop) => {
      const verifier = verifierOf({ dpop })
      for (const proof of [undefined, await proofOf()])
        await expect(verifier.verify(requestWith(`Bearer ${world.token}`, proof))).rejects.toMatchObject({
          status: 401,
          code: 'invalid-token',
        })
    },
  )

  it('names both schemes to those who come without a token, and no proofs where they are off', async () => {
    const challengeOf = async (options: Partial<VerifierOptions>) => {
      const { headers } = await refusalOf(verifierOf(options).verify({ headers: {} }, { scope: 'orders:read' }))
      return headers.get('www-authenticate')
    }
    expect(await challengeOf({})).toBe(`Bearer scope="orders:read", DPoP algs="${algorithms}"`)
    expect(await challengeOf({ dpop: 'required' })).toBe(`DPoP scope="orders:read", algs="${algorithms}"`)
    expect(await challengeOf({ dpop: 'off' })).toBe('Bearer scope="orders:read"')
    const off = await refusalOf(verifierOf({ dpop: 'off' }).verify(requestWith(`DPoP ${world.token}`, await proofOf())))
    expect(off).toMatchObject({ code: 'authentication-required' })
  })

  it('publishes that it takes proofs', () => {
    expect(verifierOf({ dpop: 'required' }).protectedResourceMetadata()).toMatchObject({
      dpop_signing_alg_values_supported: algorithms.split(' '),
      dpop_bound_access_tokens_required: true,
    })
    expect(verifierOf({ dpop: 'off' }).protectedResourceMetadata()).not.toHaveProperty('dpop_signing_alg_values_supported')
  })
})

describe('a verifier that knows the certificate of a client', () => {
  let [pem, otherPem, token] = ['', '', '']
  beforeAll(async () => {
    ;[pem, otherPem] = [await certificateOf(), await certificateOf()]
    token = await bound({ 'x5t#S256': thumbprintOf(pem) })
  })

  const thumbprintOf = (certificate: string) => createHash('sha256').update(new X509Certificate(certificate).raw).digest('base64url')
  const base64 = () => new X509Certificate(pem).raw.toString('base64')

  it.each<[string, () => string | Uint8Array]>([
    ['as PEM', () => pem],
    ['as PEM that a proxy has encoded', () => encodeURIComponent(pem)],
    ['as DER', () => new X509Certificate(pem).raw],
    ['in the header of RFC 9440', () => `:${base64()}:`],
    ['by its thumbprint', () => thumbprintOf(pem)],
  ])('accepts a token that is bound to it, given %s', async (_, certificate) => {
    const verifier = verifierOf({ dpop: 'off', certificate: () => certificate() })
    expect(await verifier.verify(requestWith(`Bearer ${token}`))).toMatchObject({ token })
  })

  it('gets it from a header of any request, or from its connection', async () => {
    const verifier = verifierOf({ certificate: (_, header) => header('Client-Cert') })
    const request = requestWith(`Bearer ${token}`)
    const headers = { ...request.headers, 'client-cert': `:${base64()}:` }
    expect(await verifier.verify({ ...request, headers })).toMatchObject({ token })
    expect(await verifier.verify(new Request(`${baseUrl}/orders`, { headers }))).toMatchObject({ token })
    await expect(verifier.verify(request)).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
    const twice = { ...request, headers: { ...headers, 'client-cert': [base64(), base64()] } }
    await expect(verifier.verify(twice)).rejects.toMatchObject({ status: 401, code: 'invalid-token' })

    const byConnection = verifierOf({ certificate: ({ socket }) => (socket as { raw?: Uint8Array } | undefined)?.raw })
    expect(await byConnection.verify({ ...request, socket: new X509Certificate(pem) })).toMatchObject({ token })
    await expect(byConnection.verify(request)).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
  })

  it.each<[string, () => string | Uint8Array | null | undefined]>([
    ['another one', () => otherPem],
    ['the thumbprint of another one', () => thumbprintOf(otherPem)],
    ['none', () => null],
    ['nothing', () => undefined],
    ['an empty text', () => ''],
    ['what is no certificate', () => '%E0%A4%A'],
  ])('refuses a token that is bound to it, with %s', async (_, certificate) => {
    const verifier = verifierOf({ certificate: () => certificate() })
    await expect(verifier.verify(requestWith(`Bearer ${token}`))).rejects.toMatchObject({ status: 401, code: 'invalid-token' })
  })

  it('refuses a token that is bound to something else as well, unless that is proven, too', async () => {
    const certificate = () => pem
    const jkt = await calculateJwkThumbprint(world.key.publicKey)
    const both = await bound({ jkt, 'x5t#S256': thumbprintOf(pem) })
    await expect(verifierOf({ certificate }).verify(requestWith(`Bearer ${both}`))).rejects.toMatchObject({ code: 'invalid-token' })
    const proven = requestWith(`DPoP ${both}`, await proofOf({ of: both }))
    expect(await verifierOf({ certificate }).verify(proven)).toMatchObject({ token: both })
    const again = requestWith(`DPoP ${both}`, await proofOf({ of: both }))
    await expect(verifierOf().verify(again)).rejects.toMatchObject({ code: 'invalid-token' })
  })

  it.each([[{}], [[]], ['text'], [null], [{ kid: 'key' }], [{ jwk: {} }]])(
    'refuses a token that is bound to what it does not know, such as %j',
    async (cnf) => {
      const unknown = await bound(cnf)
      await expect(verifierOf({ certificate: () => pem }).verify(requestWith(`Bearer ${unknown}`))).rejects.toMatchObject({
        status: 401,
        code: 'invalid-token',
      })
    },
  )

  it('publishes that it takes them', () => {
    expect(verifierOf({ certificate: () => pem }).protectedResourceMetadata()).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
    })
  })
})

/** Any certificate, as PEM. */
const certificateOf = async () => (await samlProvider()).certificate

const servers: Server[] = []
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

async function listening(server: Server, port: number): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  servers.push(server)
  return server
}
