import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Inbox } from './inbox.ts'
import type { KeyAndCertificate } from './make-certificate.ts'
import { relay, relayAddress, targetOf } from './relay.ts'

/** A webhook that has arrived. */
export interface ReceivedWebhook {
  organisationId: string
  /** The name of the event. */
  event: string
  headers: Record<string, string>
  /** The text that the signature covers. */
  body: string
}

const bodyMaxBytes = 1024 * 1024

/** A receiver of webhooks on this machine, by https as in production. */
export interface Receiver {
  /** Its certificate, for the service to trust. */
  ca: string
  received: Inbox<ReceivedWebhook>
  /** The status of its next responses; 200 unless a test sets it. */
  status: number
  /** Changes what is relayed. */
  bend: (body: string) => Promise<string>
  /** The address for the webhooks of an organisation. */
  urlFor(organisationId: string): string
  /** The address that leads to an application on this machine, which has no https. */
  relayTo(target: string): string
  close(): Promise<void>
}

export async function openReceiver({ key, cert }: KeyAndCertificate): Promise<Receiver> {
  const received = new Inbox<ReceivedWebhook>()
  const server = createServer({ key, cert }, async (request, response) => {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length
      if (size > bodyMaxBytes) return void request.destroy()
      parts.push(part)
    }
    const body = Buffer.concat(parts).toString()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const target = targetOf(request.url ?? '')
    if (target !== undefined) return void response.writeHead(await relay(target, { body: await receiver.bend(body), headers })).end()
    received.add({ organisationId: (request.url ?? '').slice(1), event: eventOf(body), headers, body })
    response.writeHead(receiver.status).end()
  })
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    ca: cert,
    received,
    status: 200,
    bend: async (body) => body,
    urlFor: (organisationId) => `https://localhost:${port}/${organisationId}`,
    relayTo: (target) => relayAddress(`https://localhost:${port}`, target),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return receiver
}

function eventOf(body: string): string {
  try {
    const { type, event } = JSON.parse(body)
    return String(type ?? event)
  } catch {
    return ''
  }
}
