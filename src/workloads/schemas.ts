import { z } from 'zod'
import { id, isSecret, plainText, timestamp } from '../platform/http/fields.ts'

const tokenLengthMax = 16_384

export const KeyExchange = z
  .object({
    apiKeyId: id().meta({ description: 'The API key', example: 'key_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    token: plainText()
      .min(1)
      .max(tokenLengthMax)
      .meta({ ...isSecret, description: 'The token of the platform, for this service: a JWT', example: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Im…' }),
  })
  .meta({ component: 'KeyExchange' })
export type KeyExchange = z.infer<typeof KeyExchange>

export const ExchangedKey = z
  .object({
    apiKey: z.string().meta({
      ...isSecret,
      description: 'For `Authorization: Bearer`, with the permissions of the API key',
      example: 'ak_temp.Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
    }),
    expiresAt: timestamp('When it stops working: in 15 minutes, or earlier with the API key'),
  })
  .meta({ component: 'ExchangedKey' })
export type ExchangedKey = z.infer<typeof ExchangedKey>
