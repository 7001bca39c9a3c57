import { spawn } from 'node:child_process'
import { createHmac, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { explainRequest } from '../../src/cli/webhooks/webhook-signature.ts'
import { whyLiteralForbidden } from '../../src/platform/http/outgoing.ts'
import { webhookRules } from '../../src/webhooks/destination.ts'
import { builtService } from '../support/built-service.ts'
import { startTestService } from '../support/service.ts'
import { createEndpoint, deliveryOf } from '../support/webhooks.ts'

const secret = 'whsec_abc'
const now = new Date('2026-01-31T09:30:00.000Z')
const body = '{"id":"evt_1","type":"user.created","createdAt":"2026-01-31T09:29:59.000Z","organisationId":"org_1","data":{"n":1.50}}'
const sign = (bytes: string, key = secret) => createHmac('sha256', key).update(bytes).digest('hex')
const explain = (headers: Record<string, string>, bytes = body, key: string | undefined = secret, at = now) =>
  explainRequest({ 'x-svc-event': 'user.created', 'x-svc-delivery': 'dlv_1', ...headers }, Buffer.from(bytes), key, at)
const rewritten = JSON.stringify(JSON.parse(body))

describe('the local receiver', () => {
  it('accepts a good signature of either variant', async () => {
    expect(await explain({ 'x-svc-signature': sign(body) })).toMatchObject({ accepted: true })
    const ofVariantA = body.replace('"type"', '"event"').replace('createdAt', 'timestamp')
    const headers = { 'x-webhook-signature': sign(ofVariantA), 'x-webhook-event': 'user.created' }
    expect(await explainRequest(headers, Buffer.from(ofVariantA), secret, now)).toMatchObject({ accepted: true })
  })

  it.each([
    ['a missing header', {}, body, secret, 'missing header: x-svc-signature'],
    ['a malformed one', { 'x-svc-signature': 'sha256=abc' }, body, secret, 'not 64 lower-case'],
    ['a secret without its prefix', { 'x-svc-signature': sign(body) }, body, 'abc', 'the prefix whsec_ belongs to it'],
    ['white space in the secret', { 'x-svc-signature': sign(body) }, body, `${secret}\n`, 'white space around it'],
    ['a rotated secret', { 'x-svc-signature': sign(body, 'new'), 'x-svc-signature-previous': sign(body) }, body, secret, 'the former one'],
    ['a body that was written again', { 'x-svc-signature': sign(rewritten) }, body, secret, 'verify the raw bytes'],
    ['a wrong secret', { 'x-svc-signature': sign(body, 'other') }, body, secret, 'wrong secret'],
    [
      'another event in the header',
      { 'x-svc-signature': sign(body), 'x-svc-event': 'user.deleted' },
      body,
      secret,
      'the event header says',
    ],
  ])('says what is wrong about %s', async (_, headers, bytes, key, message) => {
    const { accepted, lines } = await explain(headers, bytes, key)
    expect(accepted).toBe(false)
    expect(lines.join('\n')).toContain(message)
  })

  describe('given the headers of Standard Webhooks', () => {
    const standardSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const timestamp = now.getTime() / 1_000
    const signed = (at = new Date(now)) => new Webhook(standardSecret).sign('evt_1', at, body)
    const standard = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,abc ${signed()}` }
    const both = { 'x-svc-event': 'user.created', 'x-svc-signature': sign(body, standardSecret), ...standard }
    const judge = (headers: Record<string, string>, key = standardSecret, at = now) => explainRequest(headers, Buffer.from(body), key, at)

    it('accepts what their library has signed, with the headers of a variant or without', async () => {
      for (const headers of [standard, both])
        expect(await judge(headers)).toMatchObject({
          accepted: true,
          lines: expect.arrayContaining(['✓ signature of Standard Webhooks is good']),
        })
      expect((await judge(both)).lines).toContain('✓ signature is good')
    })

    it.each([
      ['another secret', standard, `whsec_${Buffer.alloc(32, 8).toString('base64')}`, 'of another secret, body'],
      ['a former secret', standard, 'whsec_abc', 'rotate it'],
      ['a time that was changed', { ...both, 'webhook-timestamp': '1' }, standardSecret, 'the body and the secret are right'],
      ['no id', { ...both, 'webhook-id': undefined }, standardSecret, 'missing header: webhook-id'],
      ['a signature of another form', { ...both, 'webhook-signature': 'v2,abc' }, standardSecret, 'holds no v1,'],
    ])('says what is wrong about %s', async (_, headers, key, message) => {
      const { accepted, lines } = await judge(headers as Record<string, string>, key)
      expect({ accepted, lines }).toEqual({ accepted: false, lines: expect.arrayContaining([expect.stringContaining(message)]) })
    })

    it('says that libraries refuse it when it is old', async () => {
      const later = await judge(both, standardSecret, new Date(now.getTime() + 301_000))
      expect(later).toMatchObject({
        accepted: true,
        lines: expect.arrayContaining([expect.stringContaining('more than five minutes from now: libraries')]),
      })
    })
  })

  it('reports an old event and a wrong clock, without refusing', async () => {
    const at = (minutes: number) => explain({ 'x-svc-signature': sign(body) }, body, secret, new Date(now.getTime() + minutes * 60_000))
    expect(await at(10)).toMatchObject({ accepted: true, lines: expect.arrayContaining([expect.stringContaining('601 s old')]) })
    expect(await at(-10)).toMatchObject({ accepted: true, lines: expect.arrayContaining([expect.stringContaining('from the future')]) })
  })
})

/** The receiver as a user starts it, with a folder of its own for its certificate. */
async function startReceiver(folder: string, ...options: string[]) {
  const child = spawn(process.execPath, [builtService, 'webhooks', 'listen', '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, XDG_STATE_HOME: folder },
  })
  const lines = createInterface({ input: child.stdout })
  const printed: string[] = []
  lines.on('line', (line) => printed.push(line))
  const until = (text: string) =>
    new Promise<string>((resolve) => {
      const look = (line: string) => line.includes(text) && resolve(line)
      for (const line of printed) look(line)
      lines.on('line', look)
    })
  const { port } = new URL((await until('Listening')).split(' ').at(-1) ?? '')
  const stop = async () => {
    child.kill()
    await once(child, 'exit')
  }
  onTestFinished(() => void child.kill())
  return { port, until, stop }
}

async function send(port: string, headers: Record<string, string>, ca?: string) {
  const sent = request({ port, host: 'localhost', method: 'POST', ...(ca ? { ca } : { rejectUnauthorized: false }), headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() }
}

const genuine = { 'x-svc-event': 'user.created', 'x-svc-signature': sign(body) }
const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-listen-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function secretFile(): Promise<string> {
  const file = join(await aFolder(), 'endpoint.secret')
  await writeFile(file, `${secret}\n`)
  return file
}

describe('gatehouse webhooks listen', () => {
  it('runs over HTTPS and prints each event', async () => {
    const receiver = await startReceiver(await aFolder(), '--secret-file', await secretFile())

    expect(await send(receiver.port, genuine)).toMatchObject({ status: 200 })

    await receiver.until('signature is good')
    await receiver.stop()
  })

  it('gets the webhooks of a service in development without a setting, for as long as it runs', async () => {
    const folder = await aFolder()
    const service = await startTestService({ environment: { XDG_STATE_HOME: folder } })
    onTestFinished(() => service.stop())
    const { owner } = await service.given.organisation()
    const listening = await startReceiver(folder)
    const byName = await createEndpoint(owner, { url: `https://localhost:${listening.port}/`, events: ['role.created'] })
    const byAddress = await createEndpoint(owner, { url: `https://127.0.0.1:${listening.port}/`, events: ['role.created'] })
    // Nothing else on this machine is opened.
    const other = { url: 'https://127.0.0.1:9/', events: ['role.created'] }
    expect(await owner.post('/v1/admin/webhooks', other)).toMatchObject({ status: 400 })

    await owner.post('/v1/admin/roles', { name: 'Auditors', slug: 'auditors' })
    await service.deliverDueWebhooks()
    for (const { id } of [byName, byAddress]) expect(await deliveryOf(owner, id)).toMatchObject({ status: 'delivered' })
    await listening.until('event role.created')

    await listening.stop()
    expect(await owner.patch(`/v1/admin/webhooks/${byName.id}`, { url: `https://127.0.0.1:${listening.port}/` })).toMatchObject({
      status: 400,
    })
  })

  it('gets nothing from a service in production', async () => {
    const folder = await aFolder()
    const { port } = await startReceiver(folder)
    const { localReceivers } = readConfig({
      XDG_STATE_HOME: folder,
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://id.example.com',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    })
    const rules = webhookRules({ webhookAllowPrivateAddresses: false, outgoingPrivateHosts: () => false, localReceivers })

    expect(whyLiteralForbidden(`https://127.0.0.1:${port}/`, rules)).toMatch(/^127\.0\.0\.1 is a loopback address/)
  })

  it('continues when a sender leaves in the middle of an event', async () => {
    const receiver = await startReceiver(await aFolder())
    const headers = { 'content-length': 9, expect: '100-continue' }
    const sent = request({ port: receiver.port, host: 'localhost', method: 'POST', rejectUnauthorized: false, headers })
    sent.on('error', () => {}).write('half')
    await once(sent, 'continue')
    sent.destroy()
    await receiver.until('the sender left')

    expect(await send(receiver.port, genuine)).toMatchObject({ status: 200 })
    await receiver.stop()
  })

  it('reuses its certificate, so that a service that trusts it need not be restarted', async () => {
    const folder = await aFolder()
    const file = join(folder, 'gatehouse', 'webhook-receiver.pem')
    const first = await startReceiver(folder)
    const certificate = await readFile(file, 'utf8')
    await first.stop()
    const second = await startReceiver(folder)

    expect(await send(second.port, genuine, certificate)).toMatchObject({ status: 200 })
    // Who trusts it trusts nothing that it has signed.
    expect(new X509Certificate(certificate).ca).toBe(false)
    expect(await readFile(file, 'utf8')).toBe(certificate)
    expect((await stat(join(folder, 'gatehouse', 'webhook-receiver.key'))).mode & 0o777).toBe(0o600)
    await second.stop()
  })

  it('creates another one when the key may be known to others, or does not fit', async () => {
    const folder = await aFolder()
    const [file, keyFile] = ['pem', 'key'].map((ending) => join(folder, 'gatehouse', `webhook-receiver.${ending}`)) as [string, string]
    const certificates = new Set<string>()
    for (const spoil of [() => chmod(keyFile, 0o644), () => writeFile(keyFile, 'none'), () => rm(keyFile)]) {
      await (await startReceiver(folder)).stop()
      certificates.add(await readFile(file, 'utf8'))
      await spoil()
    }

    expect(certificates.size).toBe(3)
  })

  it('forwards genuine requests with their exact bytes and headers, and returns the response', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = []
    const application = createServer(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      received.push({ headers: incoming.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(202).end('taken')
    })
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(application.address() as AddressInfo).port}/hooks`
    const receiver = await startReceiver(await aFolder(), '--secret-file', await secretFile(), '--forward', url)

    expect(await send(receiver.port, genuine)).toEqual({ status: 202, body: 'taken' })
    expect(await send(receiver.port, { ...genuine, 'x-svc-signature': sign('other') })).toMatchObject({ status: 401 })
    await receiver.until(`→ ${url}: 202`)
    expect(received).toMatchObject([{ headers: genuine, body }])

    application.closeAllConnections()
    await new Promise((resolve) => application.close(resolve))
    expect(await send(receiver.port, genuine)).toMatchObject({ status: 502 })
    await receiver.until(`→ ${url}: 502, `)
    await receiver.stop()
  })

  it.each([
    ['--help', 0, 'stdout', 'forwards each accepted request'],
    ['--unknown', 2, 'stderr', "Unknown option '--unknown'"],
    ['--port=x', 2, 'stderr', '--port is "x" and must be'],
    ['--forward=ftp://x', 2, 'stderr', '--forward is "ftp://x" and must be'],
  ] as const)('understands %s', async (option, status, stream, text) => {
    const child = spawn(process.execPath, [builtService, 'webhooks', 'listen', option], { stdio: 'pipe' })
    let printed = ''
    child[stream].on('data', (chunk) => {
      printed += chunk
    })
    expect(await once(child, 'close')).toEqual([status, null])
    expect(printed).toContain(text)
  })
})
