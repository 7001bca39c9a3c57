import { createHmac, type KeyObject } from 'node:crypto'

/** Lower-case hex HMAC-SHA256 of the raw body; the key is the whole secret, including `whsec_`. */
export function signatureOf(body: string, secret: KeyObject): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('hex')
}
