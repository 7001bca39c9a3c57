import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:https'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { explainRequest } from '../../tools/webhook-signature.ts'

const secret = 'whsec_abc'
const now = new Date('2026-01-31T09:30:00.000Z')
const body = '{"id":"evt_1","type":"user.created","createdAt":"2026-01-31T09:29:59.000Z","organisationId":"org_1","data":{"n":1.50}}'
const sign = (bytes: string, key = secret) => createHmac('sha256', key).update(bytes).digest('hex')
const explain = (headers: Record<string, string>, bytes = body, key: string | undefined = secret, at = now) =>
  explainRequest({ 'x-svc-event': 'user.created', 'x-svc-delivery': 'dlv_1', ...headers }, Buffer.from(bytes), key, at)
const rewritten = JSON.stringify(JSON.parse(body))

describe('the local receiver', () => {
  it('accepts a good signature of either variant', () => {
    expect(explain({ 'x-svc-signature': sign(body) })).toMatchObject({ accepted: true })
    const ofVariantA = body.replace('"type"', '"event"').replace('createdAt', 'timestamp')
    const headers = { 'x-webhook-signature': sign(ofVariantA), 'x-webhook-event': 'user.created' }
    expect(explainRequest(headers, Buffer.from(ofVariantA), secret, now)).toMatchObject({ accepted: true })
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
  ])('says what is wrong about %s', (_, headers, bytes, key, message) => {
    const { accepted, lines } = explain(headers, bytes, key)
    expect(accepted).toBe(false)
    expect(lines.join('\n')).toContain(message)
  })

  it('points out an old event and a wrong clock, which are no reason to refuse', () => {
    const at = (minutes: number) => explain({ 'x-svc-signature': sign(body) }, body, secret, new Date(now.getTime() + minutes * 60_000))
    expect(at(10)).toMatchObject({ accepted: true, lines: expect.arrayContaining([expect.stringContaining('601 s old')]) })
    expect(at(-10)).toMatchObject({ accepted: true, lines: expect.arrayContaining([expect.stringContaining('from the future')]) })
  })

  it('runs over HTTPS and prints what comes', async () => {
    const child = spawn(process.execPath, ['tools/listen.ts', '--secret', secret, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const printed: string[] = []
    const until = (text: string) =>
      new Promise<string>((resolve) => {
        const look = (line: string) => line.includes(text) && resolve(line)
        for (const line of printed) look(line)
        lines.on('line', look)
      })
    lines.on('line', (line) => printed.push(line))
    const { port } = new URL((await until('Listening')).split(' ').at(-1) ?? '')

    const sent = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      rejectUnauthorized: false,
      headers: { 'x-svc-event': 'user.created', 'x-svc-signature': sign(body) },
    })
    sent.end(body)
    const [response] = await once(sent, 'response')

    expect(response.statusCode).toBe(200)
    await until('signature is good')
    child.kill()
    await once(child, 'exit')
  })
})
