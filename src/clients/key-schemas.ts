import { z } from 'zod'
import type { PublicKey } from '../platform/database/column-types.ts'
import { issueOf, plainText, webAddress } from '../platform/http/fields.ts'
import {
  algorithmNames,
  canonicalAlgorithm,
  type KeyMistake,
  keyMistake,
  keysMax,
  platformKeyMistake,
  publicMembers,
  type SentKey,
} from './public-keys.ts'
import {
  keyAlgorithmNotSupported,
  keyIsPrivate,
  keyNotForSignatures,
  keySizeNotSupported,
  keyTypeNotSupported,
  keyUnreadable,
} from './refusals.ts'

const mistakeOf: Record<KeyMistake['reason'], (path: string[]) => { message: string; reason?: string | undefined }> = {
  'key-is-private': keyIsPrivate,
  'key-type-not-supported': keyTypeNotSupported,
  'key-size-not-supported': keySizeNotSupported,
  'key-not-for-signatures': keyNotForSignatures,
  'key-algorithm-not-supported': keyAlgorithmNotSupported,
  'key-unreadable': keyUnreadable,
}

const member = (lengthMax: number) => plainText().min(1).max(lengthMax).optional()

const members = {
  kty: z.enum(['RSA', 'EC', 'OKP']).meta({ description: 'Kind of the key', example: 'EC' }),
  crv: member(32).meta({
    description: 'Curve: `P-256` of EC, `Ed25519` of OKP; of platforms also `P-384` and `P-521` of EC',
    example: 'P-256',
  }),
  x: member(1_024).meta({ description: 'Public key on the curve', example: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU' }),
  y: member(1_024).meta({ description: 'Second coordinate of EC', example: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' }),
  n: member(2_048).meta({
    description: 'Modulus of RSA, of 2048 to 8192 bits',
    example: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAt…',
  }),
  e: member(16).meta({ description: 'Exponent of RSA', example: 'AQAB' }),
  kid: member(255).meta({ description: 'Name of the key, which assertions carry in their header', example: '2026-11' }),
  use: member(16).meta({ description: '`sig`, or left out', example: 'sig' }),
  alg: member(16).meta({ description: 'The only algorithm of the key', example: 'ES256' }),
}

const sentKey = (whyUnusable = keyMistake, usual: (key: SentKey) => SentKey = (key) => key) =>
  z
    .looseObject(members)
    .superRefine((sent, context) => {
      const mistake = whyUnusable(usual(sent))
      if (!mistake) return
      const path = mistake.member === undefined ? [] : [mistake.member]
      context.addIssue({ ...issueOf(mistakeOf[mistake.reason](path)), path })
    })
    .transform((sent): PublicKey => publicMembers(usual(sent)))

const keysDescribed =
  'Public keys by which the client signs (RFC 7517): RSA, EC with P-256, or OKP with Ed25519; null for none. With `self_signed_tls_client_auth`, the keys of its certificates. Needs the extension `private_key_jwt`, `mtls` or `jar`'

const keySetOf = (key: ReturnType<typeof sentKey>) =>
  z.object({ keys: z.array(key).min(1).max(keysMax).meta({ description: 'At most 20' }) })
const keySet = keySetOf(sentKey())
/** Keys of the bundle of a SPIFFE trust domain have a use of their own (SPIFFE Trust Domain and Bundle §4.2.2). */
export const keySetOfPlatform = keySetOf(sentKey(platformKeyMistake, (key) => (key.use === 'jwt-svid' ? { ...key, use: 'sig' } : key)))
/** The same as records show them. */
export const shownKeySet = z.object({ keys: z.array(z.object(members)).meta({ description: 'At most 20' }) })

/** The fields of a client that say by which keys it authenticates and signs. */
export const keyFields = {
  jwks: keySet.nullable().meta({ description: keysDescribed }),
  jwksUri: webAddress().nullable().meta({
    description:
      'Address at which the client publishes them, in place of `jwks`: https, read anew every ten minutes; null for none. Needs the extension `private_key_jwt`, `mtls` or `jar`',
    example: 'https://portal.acme.test/jwks.json',
  }),
  tokenEndpointAuthSigningAlg: z.enum(algorithmNames).transform(canonicalAlgorithm).nullable().meta({
    description:
      'The only algorithm in which the client signs its assertions; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `private_key_jwt`',
    example: 'ES256',
  }),
  requireSignedRequestObject: z.boolean().meta({
    description: 'Whether the client has to sign its authorization requests (RFC 9101): others are refused. Needs the extension `jar`',
  }),
  requestObjectSigningAlg: z.enum(algorithmNames).transform(canonicalAlgorithm).nullable().meta({
    description:
      'The only algorithm in which the client signs its authorization requests; null allows each. `Ed25519` is another name of `EdDSA`. Needs the extension `jar`',
    example: 'ES256',
  }),
}

/** The same fields as records show them. */
export const shownKeyFields = {
  jwks: shownKeySet.nullable().meta({ description: 'Public keys by which the client signs; null when it has none, or publishes them' }),
  jwksUri: z
    .string()
    .nullable()
    .meta({ description: 'Address at which the client publishes its keys', example: 'https://portal.acme.test/jwks.json' }),
  tokenEndpointAuthSigningAlg: z
    .enum(['EdDSA', 'ES256', 'PS256', 'RS256'])
    .nullable()
    .meta({ description: 'The only algorithm in which the client signs its assertions; null allows each', example: 'ES256' }),
  requireSignedRequestObject: keyFields.requireSignedRequestObject,
  requestObjectSigningAlg: z
    .enum(['EdDSA', 'ES256', 'PS256', 'RS256'])
    .nullable()
    .meta({ description: 'The only algorithm in which the client signs its authorization requests; null allows each', example: 'ES256' }),
}
