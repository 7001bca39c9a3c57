/** A worker thread with a local HTTPS receiver: it answers 200, or never on `/dead`, and tells when each request came. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { generate } from 'selfsigned'

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  extensions: [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ],
})

let arrivals: number[] = []
const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url === '/dead') return
  arrivals.push(performance.timeOrigin + performance.now())
  request.resume()
  request.on('end', () => response.writeHead(200).end())
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port, ca: cert }))
parentPort?.on('message', () => {
  parentPort?.postMessage(arrivals)
  arrivals = []
})
