import { fileURLToPath } from 'node:url'
import { createVerifier } from '@gatehouse-iam/api'
import express, { type Express } from 'express'
import { rolldown } from 'rolldown'

export interface Settings {
  gatehouseUrl: string
  /** The application in the browser, whose tokens the API takes. */
  clientId: string
  /** Milliseconds since 1970. Tests have one that they move. */
  clock?: () => number
}

/** The API, and the application in the browser that calls it. */
export async function createApp({ gatehouseUrl, clientId, clock = Date.now }: Settings): Promise<Express> {
  const verifier = createVerifier({ issuer: gatehouseUrl, audience: clientId, clock })
  const script = await bundled('spa.tsx')
  const app = express()

  app.get('/api/orders', verifier.forExpress({ scope: 'orders:read' }), (request, response) => {
    // Another organisation has other orders.
    response.json({ organisation: request.auth?.organisationId, orders: ['1,200 screws', '7 hinges'] })
  })

  app.get('/spa.js', (_, response) => void response.type('js').send(script))

  // A script of another place could steal the tokens: none is loaded.
  const policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${gatehouseUrl}; base-uri 'none'; frame-ancestors 'none'`
  app.get(['/', '/callback'], (_, response) => {
    response
      .set('content-security-policy', policy)
      .type('html')
      .send(`<!doctype html>
      <html lang="en">
        <title>Orders</title>
        <main data-gatehouse="${gatehouseUrl}" data-client="${clientId}"></main>
        <script type="module" src="/spa.js"></script>
      </html>`)
  })
  return app
}

async function bundled(file: string): Promise<string> {
  const input = fileURLToPath(new URL(file, import.meta.url))
  const transform = { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' as const }
  await using bundle = await rolldown({ input, platform: 'browser', transform })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return output[0].code
}
