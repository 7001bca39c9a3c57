import { generateKeyPairSync } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { publicMembers } from '../../clients/public-keys.ts'
import { whyAssertionRefused } from './client-assertion.ts'
import { readJwt } from './signed-by-client.ts'

const issuer = 'https://id.example.test'
const now = new Date('2026-11-29T12:00:00Z')
const seconds = now.getTime() / 1_000
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const client = {
  ...{ id: 'cli_1', profile: null, tokenEndpointAuthSigningAlg: null, jwksUri: null },
  jwks: { keys: [publicMembers(publicKey.export({ format: 'jwk' }) as Record<string, unknown>)] },
}

async function isAccepted(claims: Record<string, unknown>): Promise<boolean> {
  const all = { iss: 'cli_1', sub: 'cli_1', aud: issuer, jti: 'one', exp: seconds + 60, ...claims }
  const assertion = readJwt(await new SignJWT(all).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey))
  if (!assertion) throw new Error('It is no JWT')
  const noKeySets = async () => {
    throw new Error('No keys are fetched')
  }
  return (await whyAssertionRefused(noKeySets, client, assertion, { audiences: [issuer], now })) === undefined
}

it.each<[string, Record<string, unknown>, boolean]>([
  ['an end in ten minutes', { exp: seconds + 600 }, true],
  ['an end in ten minutes and a second', { exp: seconds + 601 }, false],
  ['an end in this second', { exp: seconds }, false],
  ['an end in a second', { exp: seconds + 1 }, true],
  ['an end ten minutes after a beginning that is a minute ahead', { iat: seconds + 60, exp: seconds + 660 }, true],
  ['an end later than that', { iat: seconds + 60, exp: seconds + 661 }, false],
  ['a time of issue that is a minute ahead', { iat: seconds + 60 }, true],
  ['a time of issue that is further ahead', { iat: seconds + 61 }, false],
  ['a beginning that is a minute ahead', { nbf: seconds + 60 }, true],
  ['a beginning that is further ahead', { nbf: seconds + 61 }, false],
  ['an id of 512 characters', { jti: 'x'.repeat(512) }, true],
  ['an id of 513 characters', { jti: 'x'.repeat(513) }, false],
])('an assertion of a client with %s is as good as the limits say', async (_, claims, isGood) => {
  expect(await isAccepted(claims)).toBe(isGood)
})
