import { GatehouseRefused, verifyWebhook } from '@gatehouse-iam/client'
import express, { type Express } from 'express'

export interface Settings {
  /** While one is being rotated, the new and the former one. */
  secrets: readonly string[]
  greet(email: string): void
  /** Milliseconds since 1970. Tests have one that they move. */
  clock?: () => number
}

export function createApp({ secrets, greet, clock = Date.now }: Settings): Express {
  /** In your database, in the transaction of what the event does. */
  const handled = new Set<string>()

  const app = express()
  // The signature is of the bytes as they arrived.
  app.post('/webhooks', express.text({ type: '*/*', limit: '256kb' }), async (request, response) => {
    try {
      const received = { headers: request.headers, body: String(request.body ?? '') }
      const event = await verifyWebhook(received, secrets, { clock, requireStandardSignature: true })
      if (!handled.has(event.id)) {
        if (event.type === 'user.created') greet(event.data.user.email)
        // Only now: if greeting fails, Gatehouse sends the event again.
        handled.add(event.id)
      }
      // At once: what takes longer belongs in a queue.
      response.status(204).end()
    } catch (error) {
      if (!(error instanceof GatehouseRefused)) throw error
      response.status(error.status).send(error.code)
    }
  })
  return app
}
