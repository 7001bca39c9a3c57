import { z } from 'zod'

const encodings = { base64: 'base64', hex: 'hex', utf8: 'utf8' } as const
const Encoded = z.looseObject({ value: z.string(), encoding: z.enum(['base64', 'hex', 'utf8']).optional() })

/** `custom_password_hash` of Auth0's schema of bulk imports. */
export const CustomPasswordHash = z.looseObject({
  algorithm: z.string(),
  hash: Encoded,
  salt: Encoded.optional(),
  cost: z.number().optional(),
  blockSize: z.number().optional(),
  parallelization: z.number().optional(),
})
export type CustomPasswordHash = z.output<typeof CustomPasswordHash>

/** Converts the hash to a form of ours, or says why that is impossible. */
export function customHashOf({
  algorithm,
  hash,
  salt,
  ...cost
}: CustomPasswordHash): { hash: string; why?: undefined } | { hash?: undefined; why: string } {
  switch (algorithm) {
    // These hold all parameters in the text.
    case 'bcrypt':
    case 'argon2':
    case 'pbkdf2':
      return { hash: hash.value }
    case 'scrypt': {
      const { cost: n = 16_384, blockSize = 8, parallelization = 1 } = cost
      if (!salt || !Number.isInteger(Math.log2(n))) return { why: 'scrypt without a salt, or with a cost that is not a power of two' }
      const of = (encoded: z.output<typeof Encoded>, otherwise: keyof typeof encodings) =>
        Buffer.from(encoded.value, encodings[encoded.encoding ?? otherwise])
          .toString('base64')
          .replaceAll('=', '')
      const parameters = `ln=${Math.log2(n)},r=${blockSize},p=${parallelization}`
      return { hash: `$scrypt$${parameters}$${of(salt, 'utf8')}$${of(hash, 'hex')}` }
    }
    default:
      return { why: `the algorithm ${algorithm} is too weak or unknown` }
  }
}
