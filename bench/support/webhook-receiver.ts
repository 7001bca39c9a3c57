/**
 * A worker thread with a local HTTPS receiver: it responds 200, 500 on `/failing`, never on `/silent`, and reports when each
 * request arrived, and the number in its role's name.
 */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { generate } from 'selfsigned'

/** A request at the receiver: its time, by the clock that all threads share, and the number in it. */
export interface Arrival {
  at: number
  number: number
}

const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  extensions: [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
  ],
})

let arrivals: Arrival[] = []
let awaited = Number.POSITIVE_INFINITY

function tell(): void {
  if (arrivals.length < awaited) return
  parentPort?.postMessage(arrivals)
  arrivals = []
  awaited = Number.POSITIVE_INFINITY
}

const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url === '/silent') return
  if (request.url === '/failing') {
    request.resume()
    response.writeHead(500).end()
    return
  }
  const at = performance.timeOrigin + performance.now()
  let body = ''
  request.setEncoding('latin1')
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    response.writeHead(200).end()
    arrivals.push({ at, number: Number(/"name":"(\d+)"/.exec(body)?.[1]) })
    tell()
  })
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port, ca: cert }))
parentPort?.on('message', (count: number) => {
  awaited = count
  tell()
})
