import { createVerifier } from '@gatehouse-iam/api'
import express, { type Express } from 'express'

export interface ApiSettings {
  gatehouseUrl: string
  /** Whose tokens it takes. */
  audience: string
  /** Milliseconds since 1970. Tests have one that they move. */
  clock?: () => number
}

export function createApi({ gatehouseUrl, audience, clock = Date.now }: ApiSettings): Express {
  const verifier = createVerifier({ issuer: gatehouseUrl, audience, clock })
  const app = express()
  app.get('/stock', verifier.forExpress({ scope: 'stock:read' }), (request, response) => {
    // Another organisation has another stock.
    response.json({ organisation: request.auth?.organisationId, screws: 1_200 })
  })
  return app
}
