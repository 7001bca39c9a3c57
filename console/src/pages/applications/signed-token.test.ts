import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64url } from '../../base/base64url.ts'
import { decodeToken, type PublicKey, verifySignature } from './signed-token.ts'

const algorithms = {
  EdDSA: { name: 'Ed25519' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
}
const pairs = {
  EdDSA: (await crypto.subtle.generateKey(algorithms.EdDSA, true, ['sign', 'verify'])) as CryptoKeyPair,
  RS256: (await crypto.subtle.generateKey(algorithms.RS256, true, ['sign', 'verify'])) as CryptoKeyPair,
}
type Algorithm = keyof typeof pairs
const jwkOf = async (alg: Algorithm): Promise<PublicKey> => {
  const { key_ops: _operations, ext: _extractable, ...jwk } = await crypto.subtle.exportKey('jwk', pairs[alg].publicKey)
  return { ...jwk, kid: alg, alg }
}
const keys = [await jwkOf('EdDSA'), await jwkOf('RS256')]

const bytes = (text: string) => new TextEncoder().encode(text)
const encoded = (value: unknown) => base64url(bytes(JSON.stringify(value)))
async function signed(alg: Algorithm, claims: object, header: object = {}): Promise<string> {
  const input = `${encoded({ alg, typ: 'JWT', kid: alg, ...header })}.${encoded(claims)}`
  const signature = await crypto.subtle.sign(algorithms[alg].name, pairs[alg].privateKey, bytes(input))
  return `${input}.${base64url(new Uint8Array(signature))}`
}

const claims = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()), {
  maxKeys: 5,
  noNullPrototype: true,
})

describe.each(['EdDSA', 'RS256'] as const)('a token signed with %s', (alg) => {
  it('is decoded as it was written, and valid', async () => {
    await fc.assert(
      fc.asyncProperty(claims, async (written) => {
        const token = await signed(alg, written)
        expect(decodeToken(token)?.claims).toEqual(JSON.parse(JSON.stringify(written)))
        expect(await verifySignature(token, keys)).toBe('valid')
      }),
      { numRuns: 30 },
    )
  })

  it('is not valid with any one character changed', async () => {
    const token = await signed(alg, { sub: 'usr_1', aud: 'cli_1' })
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        if (changed !== token) expect(await verifySignature(changed, keys)).not.toBe('valid')
      }),
      { numRuns: 300 },
    )
  })
})

describe('a signature', () => {
  it('needs a published key of its algorithm', async () => {
    expect(await verifySignature(await signed('EdDSA', {}), [])).toBe('unknown-key')
    expect(await verifySignature(await signed('EdDSA', {}, { kid: 'RS256' }), keys)).toBe('invalid')
    expect(await verifySignature(await signed('RS256', {}, { alg: 'none' }), keys)).toBe('invalid')
    expect(await verifySignature('no token', keys)).toBe('malformed')
    expect(await verifySignature('', keys)).toBe('malformed')
    expect(await verifySignature(`${encoded([1])}.${encoded({})}.`, keys)).toBe('malformed')
  })
})
