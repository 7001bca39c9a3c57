import { z } from 'zod'
import { parseJson } from '../../platform/json-object.ts'
import type { RealmCredential } from './realm.ts'

const PasswordSecret = z.object({ value: z.string(), salt: z.string() })
const PasswordData = z.object({
  algorithm: z.string(),
  hashIterations: z.number(),
  additionalParameters: z.record(z.string(), z.array(z.string())).nullish(),
})
const OtpSecret = z.object({ value: z.string() })
const OtpData = z.object({
  subType: z.string(),
  digits: z.number().default(6),
  period: z.number().default(30),
  algorithm: z.string().default('HmacSHA1'),
  secretEncoding: z.string().nullish(),
})

/** The hash of a password credential as a PHC string; undefined for a form of Keycloak's that we do not know. */
export function passwordHashOf({ secretData, credentialData }: RealmCredential): string | undefined {
  const secret = PasswordSecret.safeParse(parseJson(secretData ?? '')).data
  const data = PasswordData.safeParse(parseJson(credentialData ?? '')).data
  if (!secret || !data) return undefined
  const [salt, hash] = [secret.salt, secret.value].map(unpadded)
  const { algorithm, hashIterations, additionalParameters } = data
  // `pbkdf2` without a suffix means SHA-1.
  if (/^pbkdf2(-sha256|-sha512)?$/.test(algorithm)) return `$${algorithm}$i=${hashIterations}$${salt}$${hash}`
  if (algorithm !== 'argon2') return undefined
  const parameter = (name: string, otherwise: string) => additionalParameters?.[name]?.[0] ?? otherwise
  const version = parameter('version', '1.3') === '1.0' ? 16 : 19
  const cost = `m=${parameter('memory', '7168')},t=${hashIterations},p=${parameter('parallelism', '1')}`
  return `$argon2${parameter('type', 'id')}$v=${version}$${cost}$${salt}$${hash}`
}

/** The secret of an authenticator app in Base32; undefined unless its codes work like ours: six digits, 30 seconds, SHA-1. */
export function totpSecretOf({ secretData, credentialData }: RealmCredential): string | undefined {
  const secret = OtpSecret.safeParse(parseJson(secretData ?? '')).data
  const data = OtpData.safeParse(parseJson(credentialData ?? '')).data
  if (!secret || !data) return undefined
  const { subType, digits, period, algorithm, secretEncoding } = data
  if (subType !== 'totp' || digits !== 6 || period !== 30 || algorithm !== 'HmacSHA1') return undefined
  // Without an encoding, the bytes of the text are the secret.
  return secretEncoding === 'BASE32' ? secret.value : base32(Buffer.from(secret.value))
}

const unpadded = (base64: string) => base64.replaceAll('=', '')

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 §6, without padding. */
function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
