import { randomBytes } from 'node:crypto'

/**
 * Creates a signing secret in the form of Standard Webhooks: 32 bytes in
 * base64 after `whsec_`. Our own signatures use the whole text as their key.
 */
export const newSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The key of a secret in the form of Standard Webhooks; undefined for a former secret, in base64url. */
export function keyOfStandardSecret(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z\d+/]{43}=)$/.exec(secret)?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64')
}
