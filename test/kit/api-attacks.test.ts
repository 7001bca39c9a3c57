/** What attackers send to an API with `@gatehouse-iam/api`, with an issuer of the test's own whose key signs whatever is asked. */
import { sign as signBytes } from 'node:crypto'
import {
  base64url,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type AccessRefused, createVerifier, type VerifierOptions } from '../../packages/api/src/index.ts'

const issuer = 'https://id.example.test'
const audience = 'https://api.example.test'
const now = Date.UTC(2026, 0, 1)
const seconds = now / 1_000

interface World {
  key: CryptoKey
  keys: JWK[]
  proofKey: CryptoKey
  proofJwk: JWK
  jkt: string
}
let world: World
beforeAll(async () => {
  const [own, proof] = await Promise.all([generateKeyPair('EdDSA', { extractable: true }), generateKeyPair('ES256', { extractable: true })])
  const proofJwk = await exportJWK(proof.publicKey)
  world = {
    key: own.privateKey,
    keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'EdDSA', use: 'sig' }],
    proofKey: proof.privateKey,
    proofJwk,
    jkt: await calculateJwkThumbprint(proofJwk),
  }
})

const part = (value: unknown) => base64url.encode(typeof value === 'string' ? value : JSON.stringify(value))
const claims = (more: Record<string, unknown> = {}) => ({
  iss: issuer,
  aud: audience,
  sub: 'usr_a',
  client_id: 'cli_a',
  org: 'org_a',
  scope: 'orders:read',
  jti: 'a',
  iat: seconds,
  exp: seconds + 600,
  ...more,
})
const header = { alg: 'EdDSA', kid: 'one', typ: 'at+jwt' }
const signed = (more: Record<string, unknown> = {}, of: Record<string, unknown> = {}) =>
  new SignJWT(claims(more)).setProtectedHeader({ ...header, ...of } as JWTHeaderParameters).sign(world.key)
/** As `signed`, but of texts that no library would write. */
const signedText = (first: string, second: string) => {
  const text = `${part(first)}.${part(second)}`
  return `${text}.${signBytes(null, Buffer.from(text), world.key as never).toString('base64url')}`
}

interface Network {
  fetched: number
  isAway?: boolean
}
function verifierOf(options: Partial<VerifierOptions> = {}, network: Network = { fetched: 0 }) {
  const answer: typeof fetch = async () => {
    network.fetched++
    return network.isAway ? new Response('busy', { status: 503 }) : Response.json({ keys: world.keys })
  }
  return createVerifier({ issuer, audience, clock: () => now, fetch: answer, ...options })
}

const bearing = (token: string) => ({ method: 'GET', url: '/orders', headers: { authorization: `Bearer ${token}` } })
const codeOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'accepted',
    (error: AccessRefused) => error.code ?? String(error),
  )

describe('a token', () => {
  it('is taken as the issuer signs it, in both spellings of its type', async () => {
    for (const spelt of [{}, { typ: 'application/at+jwt' }, { typ: 'AT+JWT' }])
      expect(await codeOf(verifierOf().verify(bearing(await signed({}, spelt))))).toBe('accepted')
  })

  it.each<[string, () => string | Promise<string>]>([
    ['whose type has a parameter', () => signed({}, { typ: 'at+jwt; x=at+jwt' })],
    ['whose type ends alike', () => signed({}, { typ: 'x/at+jwt' })],
    ['whose type is a list', () => signedText(JSON.stringify({ ...header, typ: ['at+jwt'] }), JSON.stringify(claims()))],
    ['whose algorithm is a list', () => signedText(JSON.stringify({ ...header, alg: ['EdDSA'] }), JSON.stringify(claims()))],
    ['whose algorithm is written otherwise', () => signedText(JSON.stringify({ ...header, alg: 'eddsa' }), JSON.stringify(claims()))],
    ['whose algorithm its key does not have', () => signedText(JSON.stringify({ ...header, alg: 'RS256' }), JSON.stringify(claims()))],
    ['whose key is named by a list', () => signedText(JSON.stringify({ ...header, kid: ['one'] }), JSON.stringify(claims()))],
    ['whose key is named by a path', () => signed({}, { kid: '../../dev/null' })],
    ['whose payload is not encoded', () => signedText(JSON.stringify({ ...header, b64: false, crit: ['b64'] }), JSON.stringify(claims()))],
    ['whose critical headers are none', () => signedText(JSON.stringify({ ...header, crit: [] }), JSON.stringify(claims()))],
    ['whose header is a list', () => signedText(JSON.stringify([header]), JSON.stringify(claims()))],
    ['whose claims are a list', () => signedText(JSON.stringify(header), JSON.stringify([claims()]))],
    ['whose claims are a text', () => signedText(JSON.stringify(header), '"claims"')],
    ['whose claims end early', () => signedText(JSON.stringify(header), JSON.stringify(claims()).slice(0, -1))],
    ['without a signature of its own', async () => `${(await signed()).split('.').slice(0, 2).join('.')}.${'A'.repeat(86)}`],
    [
      'with the signature of another token',
      async () => (await signed()).replace(/\.[^.]+$/, `.${(await signed({ jti: 'b' })).split('.')[2]}`),
    ],
    ['of five parts', async () => `${await signed()}.a.b`],
    ['whose audience names an object', () => signed({ aud: { 0: audience } } as never)],
    ['whose audience differs by a slash', () => signed({ aud: `${audience}/` })],
    ['whose audience differs in case', () => signed({ aud: audience.toUpperCase() })],
    ['whose issuer is a list', () => signed({ iss: [issuer] } as never)],
    ['whose end is a list', () => signed({ exp: [seconds + 600] } as never)],
    ['whose begin is a text', () => signed({ nbf: '1' } as never)],
    ['whose permissions are an object', () => signed({ permissions: { length: 1, 0: 'orders:read' } })],
    ['whose time of sign-in is a list', () => signed({ auth_time: [seconds] })],
    ['whose binding is to nothing', () => signed({ cnf: { jkt: null } })],
    ['that is bound to no certificate', () => signed({ cnf: { 'x5t#S256': null } })],
  ])('%s is refused', async (_, token) => {
    expect(await codeOf(verifierOf().verify(bearing(await token())))).toBe('invalid-token')
  })

  it('is found in the headers of a library, which are of a class of its own', async () => {
    const authorization = `Bearer ${await signed()}`
    const headers = { get: (name: string) => (name === 'authorization' ? authorization : null) } as unknown as Headers
    expect(await codeOf(verifierOf().verify({ headers }))).toBe('accepted')
    // A header of that name is none.
    expect(await codeOf(verifierOf().verify({ headers: { get: 'a', authorization } }))).toBe('accepted')
  })

  it('that names several organisations, or none of those that are served, is of none', async () => {
    const served = verifierOf({ organisation: ['org_a', 'org_b'] })
    for (const org of ['org_a,org_b', 'org_a org_b', 'ORG_A', '', 'org_c'])
      expect(await codeOf(served.verify(bearing(await signed({ org }))))).toBe('invalid-token')
    expect(await codeOf(verifierOf({ organisation: '' }).verify(bearing(await signed())))).toBe('invalid-token')
  })

  it('is over at the second of its end and the tolerance, whether it was seen before or not', async () => {
    let time = now
    const token = await signed({ exp: seconds + 10 })
    const seen = verifierOf({ clock: () => time })
    await seen.verify(bearing(token))
    for (const [after, expected] of [
      [14_999, 'accepted'],
      [15_000, 'invalid-token'],
    ] as const) {
      time = now + after
      expect([await codeOf(seen.verify(bearing(token))), await codeOf(verifierOf({ clock: () => time }).verify(bearing(token)))]).toEqual([
        expected,
        expected,
      ])
    }
  })

  it('does not pass for want of a permission that is named', async () => {
    const token = await signed({ permissions: ['orders:read', ''.padEnd(3)] })
    for (const permission of ['', ' ', ['orders:read', ''], 'orders:read  orders:write'])
      expect([permission, await codeOf(verifierOf().verify(bearing(token), { permission }))]).toEqual([permission, 'missing-permission'])
    for (const maxAge of [Number.NaN, -1, 0])
      expect(await codeOf(verifierOf().verify(bearing(token), { maxAge }))).toBe('insufficient-user-authentication')
    const recent = await signed({ auth_time: seconds })
    for (const maxAge of [Number.NaN, -1])
      expect(await codeOf(verifierOf().verify(bearing(recent), { maxAge }))).toBe('insufficient-user-authentication')
    expect(await codeOf(verifierOf().verify(bearing(token), { acr: '' }))).toBe('insufficient-user-authentication')
  })
})

describe('a verifier', () => {
  it.each<[string, Partial<VerifierOptions>]>([
    ['a tolerance that is no number', { clockToleranceSeconds: Number.NaN }],
    ['a tolerance without end', { clockToleranceSeconds: Number.POSITIVE_INFINITY }],
    ['a tolerance that is a text', { clockToleranceSeconds: '5' as never }],
    ['a tolerance below zero', { clockToleranceSeconds: -1 }],
    ['a base with a fragment', { dpop: 'required', baseUrl: 'https://api.example.test/#' }],
    ['a base with a query', { dpop: 'required', baseUrl: 'https://api.example.test/v1?a=' }],
    ['a base that is none', { dpop: 'required', baseUrl: '/v1' }],
    ['a secret of nonces that can be guessed', { dpop: 'required', dpopNonceSecret: 'short' }],
  ])('with %s is not made', (_, options) => {
    expect(() => verifierOf(options)).toThrow(TypeError)
  })

  it('asks an issuer that is busy once a second, however many tokens name an unknown key', async () => {
    const network: Network = { fetched: 0 }
    const verifier = verifierOf({}, network)
    await verifier.verify(bearing(await signed()))
    const began = Date.now()
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    network.isAway = true
    const unknown = await Promise.all(Array.from({ length: 20 }, (_, index) => signed({ jti: `${index}` }, { kid: `unknown-${index}` })))
    for (const [after, fetched] of [
      [2_000, 2],
      [2_500, 2],
      [3_000, 3],
    ] as const) {
      time.mockReturnValue(began + after)
      for (const token of unknown) expect(await codeOf(verifier.verify(bearing(token)))).toBe('invalid-token')
      expect([after, network.fetched]).toEqual([after, fetched])
    }
    expect(await codeOf(verifier.verify(bearing(await signed({ jti: 'known' }))))).toBe('accepted')
    network.isAway = false
    world.keys.push({ ...(world.keys[0] as JWK), kid: 'two' })
    onTestFinished(() => void world.keys.pop())
    time.mockReturnValue(began + 4_000)
    expect(await codeOf(verifier.verify(bearing(await signed({ jti: 'new' }, { kid: 'two' }))))).toBe('accepted')
  })

  it.each([
    ['is busy', () => new Response('busy', { status: 503 }), 1_000],
    ['does not respond', () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError')), 10_000],
  ])('asks an issuer that %s from the start only now and then, however many tokens come', async (_, respond, pause) => {
    let fetched = 0
    let isAway = true
    const fetch: typeof globalThis.fetch = async () => {
      fetched++
      return isAway ? respond() : Response.json({ keys: world.keys })
    }
    const verifier = verifierOf({ fetch })
    const began = Date.now()
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => signed({ jti: `${index}` })))
    for (const [after, expected] of [
      [0, 1],
      [pause - 1, 1],
      [pause, 2],
      [2 * pause - 1, 2],
    ] as const) {
      time.mockReturnValue(began + after)
      for (const token of tokens) expect(await codeOf(verifier.verify(bearing(token)))).toBe('issuer-unavailable')
      expect([after, fetched]).toEqual([after, expected])
    }
    isAway = false
    time.mockReturnValue(began + 2 * pause)
    for (const token of tokens) expect(await codeOf(verifier.verify(bearing(token)))).toBe('accepted')
    expect(fetched).toBe(3)
  })

  it('no longer believes a token that it has seen, once its key is withdrawn', async () => {
    const decade = 315_360_000
    const [withdrawn, next] = [await signed({ exp: seconds + decade }), await generateKeyPair('EdDSA', { extractable: true })]
    const verifier = verifierOf()
    await verifier.verify(bearing(withdrawn))
    const former = world.keys
    onTestFinished(() => {
      world.keys = former
    })
    world.keys = [{ ...(await exportJWK(next.publicKey)), kid: 'next', alg: 'EdDSA', use: 'sig' }]
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    time.mockReturnValue(Date.now() + 300_000)

    expect(await codeOf(verifier.verify(bearing(withdrawn)))).toBe('invalid-token')
    const fresh = await new SignJWT(claims()).setProtectedHeader({ ...header, kid: 'next' }).sign(next.privateKey)
    expect(await codeOf(verifier.verify(bearing(fresh)))).toBe('accepted')
    expect(await codeOf(verifier.verify(bearing(withdrawn)))).toBe('invalid-token')
  })

  it('uses the copy of an outage no longer, once the issuer says that it does not know a key', async () => {
    const network: Network = { fetched: 0 }
    const verifier = verifierOf({}, network)
    const withdrawn = await signed()
    await verifier.verify(bearing(withdrawn))
    const began = Date.now()
    const time = vi.spyOn(Date, 'now')
    onTestFinished(() => time.mockRestore())
    network.isAway = true
    time.mockReturnValue(began + 300_000)
    expect(await codeOf(verifier.verify(bearing(withdrawn)))).toBe('accepted')
    const former = world.keys
    onTestFinished(() => {
      world.keys = former
    })
    world.keys = former.map((key) => ({ ...key, kid: 'next' }))
    network.isAway = false
    time.mockReturnValue(began + 302_000)
    expect(await codeOf(verifier.verify(bearing(await signed({ jti: 'b' }, { kid: 'unknown' }))))).toBe('invalid-token')
    expect(await codeOf(verifier.verify(bearing(withdrawn)))).toBe('invalid-token')
  })

  it('asks once about a token that comes in many requests at once', async () => {
    let asked = 0
    const response = Promise.withResolvers<void>()
    const verifier = verifierOf({
      introspection: { clientId: 'cli_a', clientSecret: 'secret' },
      fetch: async (address) => {
        if (String(address).endsWith('/jwks.json')) return Response.json({ keys: world.keys })
        asked++
        await response.promise
        return Response.json({ active: true })
      },
    })
    const token = await signed()
    const all = Promise.all(Array.from({ length: 20 }, () => verifier.verify(bearing(token))))
    await vi.waitFor(() => expect(asked).toBe(1))
    response.resolve()
    await all
    expect(asked).toBe(1)
  })
})

describe('a proof', () => {
  const proofOf = async (token: string, htu: string, more: Record<string, unknown> = {}) => {
    const ath = base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))))
    return new SignJWT({ jti: crypto.randomUUID(), htm: 'GET', htu, iat: seconds, ath, ...more })
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: world.proofJwk })
      .sign(world.proofKey)
  }
  const presented = async (url: string, htu: string, options: Partial<VerifierOptions> = {}) => {
    const token = await signed({ cnf: { jkt: world.jkt } })
    const request = { method: 'GET', url, headers: { authorization: `DPoP ${token}`, dpop: await proofOf(token, htu) } }
    return codeOf(verifierOf({ dpop: 'required', baseUrl: 'https://api.example.test/v1', ...options }).verify(request))
  }

  it.each([
    ['/orders', 'https://api.example.test/v1/orders'],
    ['/orders?page=2', 'https://api.example.test/v1/orders?page=3#end'],
    ['/orders', 'HTTPS://API.EXAMPLE.TEST:443/v1/orders'],
    ['/', 'https://api.example.test/v1/'],
    ['//orders', 'https://api.example.test/v1//orders'],
    ['/%6Frders', 'https://api.example.test/v1/%6Frders'],
    // As a proxy is asked: the host of such a request is that of the client's choice.
    ['http://evil.example.test/orders', 'https://api.example.test/v1/orders'],
  ])('for %s is one for %s', async (url, htu) => {
    expect(await presented(url, htu)).toBe('accepted')
  })

  it.each([
    ['/orders', 'https://api.example.test/orders'],
    ['/orders', 'https://api.example.test/v1/orders/'],
    ['/orders', 'https://api.example.test/v1/Orders'],
    ['/orders', 'https://api.example.test/v1/%6Frders'],
    ['/orders', 'https://api.example.test/v1/orders;a=b'],
    ['/orders', 'https://api.example.test./v1/orders'],
    ['/orders', 'https://api.example.test:8443/v1/orders'],
    ['/orders', 'https://api.example.test@evil.example.test/v1/orders'],
    ['/orders', 'blob:https://api.example.test/v1/orders'],
    ['/orders', 'file://api.example.test/v1/orders'],
    ['/orders', 'https:api.example.test'],
    ['/orders', '//api.example.test/v1/orders'],
    ['/orders', ''],
    ['/orders#/bills', 'https://api.example.test/v1/bills'],
    ['/orders?/../bills', 'https://api.example.test/v1/bills'],
    ['/../bills', 'https://api.example.test/v1/bills'],
    ['http://evil.example.test/orders', 'http://evil.example.test/orders'],
    ['//evil.example.test/orders', 'https://evil.example.test/orders'],
  ])('for %s is none for %s', async (url, htu) => {
    expect(await presented(url, htu)).toBe('invalid-dpop-proof')
  })
})
