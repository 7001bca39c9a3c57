import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { afterAll } from 'vitest'
import { neverMilliseconds } from './never.ts'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The raw bytes, which the signature covers. */
  body: string
}

export interface ReceiverAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** One address of the receiver, with the requests to it. */
export class Hook {
  readonly url: string
  readonly requests: ReceivedRequest[] = []
  /** Its response. A promise that never settles is a receiver that never responds. */
  answer: (request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer> = () => ({ status: 200 })
  readonly #waiting = new Set<() => void>()

  constructor(url: string) {
    this.url = url
  }

  receive(request: ReceivedRequest): void {
    this.requests.push(request)
    for (const look of this.#waiting) look()
  }

  /** Waits until this many requests have arrived. Throws when they never do. @returns the last of them */
  async request(count = 1): Promise<ReceivedRequest> {
    return new Promise((resolve, reject) => {
      const never = setTimeout(() => reject(new Error(`${this.requests.length} of ${count} requests have arrived`)), neverMilliseconds)
      const look = () => {
        const request = this.requests[count - 1]
        if (!request) return
        clearTimeout(never)
        this.#waiting.delete(look)
        resolve(request)
      }
      this.#waiting.add(look)
      look()
    })
  }
}

/** A real HTTPS server, whose certificate is accepted only by clients that trust `ca`. */
export class Receiver {
  readonly ca: string
  readonly port: number
  readonly #server: Server
  readonly #hooks = new Map<string, Hook>()

  private constructor(server: Server, ca: string) {
    this.#server = server
    this.ca = ca
    this.port = (server.address() as AddressInfo).port
  }

  static async start(): Promise<Receiver> {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'receiver.test' }], {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 2, value: 'localhost' },
            { type: 2, value: 'receiver.test' },
            { type: 7, ip: '127.0.0.1' },
          ],
        },
      ],
    })
    // Longer than the clients' timeout, so that no request meets a connection that is being closed.
    const server = createServer({ key, cert, keepAliveTimeout: 60_000 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const receiver = new Receiver(server, cert)
    server.on('request', (request, response) => receiver.#handle(request, response))
    return receiver
  }

  /** The settings with which a service reaches it, even when the machine is too busy for the specification's timeouts. */
  get reachable() {
    return { ca: this.ca, timeoutMilliseconds: { A: 60_000, B: 60_000 } }
  }

  /** A new address, with the given host name. */
  hook(hostname = 'localhost'): Hook {
    const path = `/${randomBytes(8).toString('hex')}`
    const hook = new Hook(`https://${hostname}:${this.port}${path}`)
    this.#hooks.set(path, hook)
    return hook
  }

  /** A new address that ends with a slash, with all that is below it. */
  folder(): Hook {
    const path = `/${randomBytes(8).toString('hex')}/`
    const hook = new Hook(`https://localhost:${this.port}${path}`)
    this.#hooks.set(path, hook)
    return hook
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '' } = request
    const hook = this.#hooks.get(path) ?? this.#hooks.get(path.slice(0, path.lastIndexOf('/') + 1))
    if (!hook) {
      response.writeHead(404).end()
      return
    }
    const received = { method, path, headers: request.headers, body: Buffer.concat(chunks).toString() }
    const answer = Promise.resolve(hook.answer(received))
    hook.receive(received)
    const { status, headers, body } = await answer
    response.writeHead(status, headers).end(body)
  }
}

/** One receiver for a test file. */
export async function useReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start()
  afterAll(() => receiver.stop())
  return receiver
}
