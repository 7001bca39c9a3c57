import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { ownCertificate } from './receiver-certificate.ts'
import { explainRequest } from './webhook-signature.ts'

const help = `Receives webhooks on this machine, over HTTPS, and says what is wrong with a signature.

  gatehouse webhooks listen [--secret whsec_…] [--port 8443] [--forward http://localhost:4000/hooks]

  --secret   secret of the endpoint; without it signatures are not checked
  --port     where to listen on 127.0.0.1 (8443); 0 takes a free one
  --forward  passes each accepted request on, bytes and headers as they came, and answers what comes back
  --help     shows this

Its certificate is made once and kept while it is valid: ${ownCertificate.file}
`

const options = {
  secret: { type: 'string' },
  port: { type: 'string', default: '8443' },
  forward: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * `gatehouse webhooks listen`: a local receiver for webhooks, which prints each event, says of a bad signature which part is
 * wrong, and can pass on what is genuine.
 */
export async function listenCommand(parameters: string[]): Promise<void> {
  const { secret, port, forward } = readArguments(parameters)
  const { key, cert } = await ownCertificate.get()

  const server = createServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { accepted, lines } = explainRequest(request.headers, body, secret, new Date())
    const answer = !accepted ? { status: 401 } : forward ? await passOn(forward, request.headers, body) : { status: 200 }
    const forwarded = accepted && forward ? [`→ ${forward}: ${answer.status}${answer.error ? `, ${answer.error}` : ''}`] : []
    process.stdout.write(`\n${request.method} ${request.url}\n${[...lines, ...forwarded].map((line) => `  ${line}\n`).join('')}`)
    response.writeHead(answer.status).end(answer.body)
  })
  server.on('error', (error) => fail(error.message))
  server.listen(Number(port), '127.0.0.1', () => {
    const address = server.address() as AddressInfo
    process.stdout.write(
      `Listening on https://localhost:${address.port}/
The service trusts it when it is started like this:
NODE_EXTRA_CA_CERTS=${ownCertificate.file} WEBHOOK_ALLOW_PRIVATE_ADDRESSES=true npm start
${forward ? `Passing on to ${forward}\n` : ''}${secret ? '' : 'Signatures are not checked: give the secret with --secret whsec_…\n'}`,
    )
  })
}

function readArguments(parameters: string[]) {
  try {
    const { values } = parseArgs({ args: parameters, options })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) throw new Error(`--port is "${values.port}" and must be 0 to 65535`)
    if (values.forward !== undefined && !/^https?:$/.test(URL.parse(values.forward)?.protocol ?? '')) {
      throw new Error(`--forward is "${values.forward}" and must be an http or https URL`)
    }
    return values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${help}`, 2)
  }
}

interface Forwarded {
  status: number
  body?: Buffer
  error?: string
}

/** What the application behind answers; 502 when it does not. */
async function passOn(url: string, headers: NodeJS.Dict<string | string[]>, body: Buffer): Promise<Forwarded> {
  const own = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])
  const passed = Object.entries(headers).flatMap(([name, value]) => (own.has(name) ? [] : [[name, String(value)] as [string, string]]))
  try {
    const response = await fetch(url, { method: 'POST', headers: passed, body, redirect: 'manual' })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return { status: 502, error: cause instanceof Error ? cause.message || String(Object(cause).code) : String(cause) }
  }
}

function fail(message: string, status = 1): never {
  process.stderr.write(`${message.trimEnd()}\n`)
  process.exit(status)
}
