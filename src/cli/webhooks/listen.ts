import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { constants } from 'node:os'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { whyUnusable } from '../../platform/system-errors.ts'
import { announceReceiver } from '../../webhooks/local-receiver.ts'
import { print, printNotice } from '../print.ts'
import { endpointSecret, type SecretOptions } from './endpoint-secret.ts'
import { ownCertificate } from './receiver-certificate.ts'
import { explainRequest } from './webhook-signature.ts'

export interface ListenOptions extends SecretOptions {
  /** 0 picks a free port. */
  port: number
  /** The URL to which accepted requests are forwarded. */
  forward?: string | undefined
}

/**
 * `gatehouse webhooks listen`: a local receiver for webhooks, which prints each event, explains which part of a bad signature is
 * wrong, and can forward genuine requests.
 */
export async function listen({ port, forward, ...options }: ListenOptions): Promise<void> {
  const secret = await endpointSecret(options)
  const { key, cert } = await ownCertificate.get()

  const server = createServer({ key, cert }, async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (!body) return void print(`\n${request.method} ${request.url}\n  the sender left before all of it was here\n`)
    const { accepted, lines } = await explainRequest(request.headers, body, secret, new Date())
    const answer = !accepted ? { status: 401 } : forward ? await passOn(forward, request.headers, body) : { status: 200 }
    const forwarded = accepted && forward ? [`→ ${forward}: ${answer.status}${answer.error ? `, ${answer.error}` : ''}`] : []
    print(`\n${request.method} ${request.url}\n${[...lines, ...forwarded].map((line) => `  ${line}\n`).join('')}`)
    response.writeHead(answer.status).end(answer.body)
  })
  server.on('error', (error) => {
    printNotice(error.message)
    process.exit(1)
  })
  server.listen(port, '127.0.0.1', () => {
    const address = server.address() as AddressInfo
    const takeBack = announceReceiver(ownCertificate.folder, address.port, cert)
    process.on('exit', takeBack)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(128 + constants.signals[signal]))
    print(
      `Listening on https://localhost:${address.port}/
A service in development that you have started on this machine sends webhooks there. Any other has to be started with
NODE_EXTRA_CA_CERTS=${ownCertificate.file} and WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true
${forward ? `Passing on to ${forward}\n` : ''}${secret ? '' : 'Signatures are not checked: set GATEHOUSE_WEBHOOK_SECRET, or name its file with --secret-file\n'}`,
    )
  })
}

interface Forwarded {
  status: number
  body?: Buffer
  error?: string
}

/** The response of the application behind; 502 when it sends none. */
async function passOn(url: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<Forwarded> {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])
  const passed = Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)] as [string, string]]))
  try {
    const response = await fetch(url, { method: 'POST', headers: passed, body, redirect: 'manual' })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    return { status: 502, error: whyUnusable(error instanceof Error ? (error.cause ?? error) : error) }
  }
}
