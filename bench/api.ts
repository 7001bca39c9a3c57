/**
 * What the check of a token takes, beside `express-oauth2-jwt-bearer`: `npm run bench:api`, on a quiet machine. That package is no
 * dependency of ours: `npm install --no-save express-oauth2-jwt-bearer@1.10.0` brings it, without it the others are measured alone.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createVerifier } from '../packages/api/src/index.ts'
import { median } from './support/percentiles.ts'

const warmUpRounds = 5
const rounds = 15
const tokensOfRound = 500
const print = (text: string) => process.stdout.write(`${text}\n`)

const audience = 'https://api.example.test/orders'
const pairs = { EdDSA: await generateKeyPair('EdDSA'), RS256: await generateKeyPair('RS256') }
type Algorithm = keyof typeof pairs
const keys = await Promise.all(
  Object.entries(pairs).map(async ([alg, { publicKey }]) => ({ ...(await exportJWK(publicKey)), kid: alg, alg, use: 'sig' })),
)
const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let made = 0
const newToken = (alg: Algorithm) =>
  new SignJWT({ client_id: 'cli_1', org: 'org_1', scope: 'orders:read', permissions: ['orders:read'], jti: String(++made) })
    .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject('usr_1')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(pairs[alg].privateKey)

interface Request {
  headers: { authorization: string }
}
type Check = (request: Request) => Promise<unknown>

/** Microseconds of processor time for one check, of all threads, one after the other: the median of the rounds. */
async function measured(check: Check, tokensOf: () => Promise<string[]>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    const requests = (await tokensOf()).map((token) => ({ headers: { authorization: `Bearer ${token}` } }))
    const before = process.cpuUsage()
    for (const request of requests) await check(request)
    const { user, system } = process.cpuUsage(before)
    // The first rounds fetch the keys, and are compiled.
    if (round >= warmUpRounds) times.push((user + system) / requests.length)
  }
  return median(times)
}

const newTokens = (alg: Algorithm) => () => Promise.all(Array.from({ length: tokensOfRound }, () => newToken(alg)))
async function sameToken(alg: Algorithm) {
  const token = await newToken(alg)
  return async () => Array<string>(tokensOfRound).fill(token)
}

const verifier = createVerifier({ issuer, audience })
const ours: Check = (request) => verifier.verify(request, { scope: 'orders:read' })

/** Its middleware, called as Express calls it. */
async function peerFor(alg: Algorithm): Promise<Check | undefined> {
  const name = 'express-oauth2-jwt-bearer'
  const peer = await import(name).catch(() => undefined)
  if (!peer) return undefined
  const middleware = peer.auth({ issuer, jwksUri: `${issuer}/oauth2/jwks.json`, audience, tokenSigningAlg: alg })
  const needs = peer.requiredScopes('orders:read')
  return ({ headers }) =>
    new Promise((resolve, reject) => {
      const get = (name: string) => (name === 'Host' ? 'api.example.test' : undefined)
      const request = { headers, get, method: 'GET', protocol: 'https', url: '/', query: {}, is: () => false }
      const done = (error?: unknown) => (error ? reject(error) : resolve(undefined))
      middleware(request, {}, (error?: unknown) => (error ? reject(error) : needs(request, {}, done)))
    })
}

for (const alg of ['EdDSA', 'RS256'] as const) {
  const peer = await peerFor(alg)
  const seen = await measured(ours, await sameToken(alg))
  const fresh = await measured(ours, newTokens(alg))
  print(`${alg}, a token that was seen: ${seen.toFixed(1)} µs (goal: 60 µs)`)
  print(`${alg}, a new token: ${fresh.toFixed(1)} µs (goal: 250 µs)`)
  if (!peer) continue
  print(`${alg}, express-oauth2-jwt-bearer, a token that was seen: ${(await measured(peer, await sameToken(alg))).toFixed(1)} µs`)
  print(`${alg}, express-oauth2-jwt-bearer, a new token: ${(await measured(peer, newTokens(alg))).toFixed(1)} µs`)
}
server.close()
