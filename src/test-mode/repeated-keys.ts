import { checkPrime, createECDH, createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** Random bytes, the same ones in each run. */
export type RepeatedBytes = (size: number) => Buffer

const isPrime = promisify(checkPrime) as (candidate: bigint) => Promise<boolean>
/** RFC 8410 §7: what comes before the 32 bytes of a private key of Ed25519. */
const pkcs8OfEd25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicExponent = 65_537n

/** Makes a key pair from given bytes, as `generateKeyPair` of Node does from random ones. Undefined for kinds that the service has not. */
export async function newRepeatedKeyPair(
  type: string,
  options: { modulusLength?: number; namedCurve?: string; publicKeyEncoding?: object; privateKeyEncoding?: object },
  draw: RepeatedBytes,
): Promise<{ publicKey: KeyObject; privateKey: KeyObject } | undefined> {
  const privateKey = await privateKeyOf(type, options, draw)
  if (!privateKey) return undefined
  const encoded = (key: KeyObject, encoding: object | undefined): KeyObject => (encoding ? Reflect.apply(key.export, key, [encoding]) : key)
  return {
    publicKey: encoded(createPublicKey(privateKey), options.publicKeyEncoding),
    privateKey: encoded(privateKey, options.privateKeyEncoding),
  }
}

async function privateKeyOf(
  type: string,
  { modulusLength = 2_048, namedCurve }: { modulusLength?: number; namedCurve?: string },
  draw: RepeatedBytes,
): Promise<KeyObject | undefined> {
  if (type === 'ed25519') return createPrivateKey({ key: Buffer.concat([pkcs8OfEd25519, draw(32)]), format: 'der', type: 'pkcs8' })
  if (type === 'rsa') return createPrivateKey({ key: await newRsaKey(modulusLength, draw), format: 'jwk' })
  if (type === 'ec' && namedCurve === 'P-256') return createPrivateKey({ key: ecKeyOf(draw(32)), format: 'jwk' })
  return undefined
}

function ecKeyOf(d: Buffer): JsonWebKey {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [string, string]
  return { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') }
}

/** RFC 8017 §3.2. */
async function newRsaKey(bits: number, draw: RepeatedBytes): Promise<JsonWebKey> {
  const p = await newPrime(bits / 2, draw)
  const q = await newPrime(bits / 2, draw)
  const d = inverse(publicExponent, (p - 1n) * (q - 1n))
  const members = { n: p * q, e: publicExponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) }
  return { kty: 'RSA', ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, base64urlOf(value)])) }
}

const smallPrimes = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n, 61n, 67n, 71n]

/** The first prime from a drawn number on. Its two highest bits are set, so that the product of two has the full length. */
async function newPrime(bits: number, draw: RepeatedBytes): Promise<bigint> {
  const drawn = BigInt(`0x${draw(bits / 8).toString('hex')}`)
  let candidate = drawn | (3n << BigInt(bits - 2)) | 1n
  const mayBe = () => smallPrimes.every((prime) => candidate % prime !== 0n) && candidate % publicExponent !== 1n
  while (!(mayBe() && (await isPrime(candidate)))) candidate += 2n
  return candidate
}

/** The inverse of a number, by the extended algorithm of Euclid. */
function inverse(number: bigint, modulus: bigint): bigint {
  let [former, rest] = [modulus, number % modulus]
  let [before, factor] = [0n, 1n]
  while (rest > 1n) {
    const quotient = former / rest
    ;[former, rest] = [rest, former - quotient * rest]
    ;[before, factor] = [factor, before - quotient * factor]
  }
  return ((factor % modulus) + modulus) % modulus
}

function base64urlOf(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex').toString('base64url')
}
