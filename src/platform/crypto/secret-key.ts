const keyBytes = 32

/**
 * Reads a key of 32 bytes from base64 or base64url, padded or not.
 *
 * @returns undefined for anything else: Node skips characters that it
 *   cannot decode, so a mistyped or shortened key would pass for another one
 */
export function parseSecretKey(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  const digits = text.replace(/=$/, '')
  const isWhole = bytes.length === keyBytes && [bytes.toString('base64').replace(/=$/, ''), bytes.toString('base64url')].includes(digits)
  return isWhole ? bytes : undefined
}

export const secretKeyExpected = '32 bytes in base64, as `openssl rand -base64 32` prints them'
