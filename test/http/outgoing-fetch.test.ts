import { createServer as createPlainServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OutgoingRules } from '../../src/platform/http/outgoing.ts'
import { createOutgoing, type OutgoingOptions } from '../../src/platform/http/outgoing-fetch.ts'
import { parsePrivateHosts } from '../../src/platform/http/private-hosts.ts'
import { useReceiver } from '../support/receiver.ts'

const receiver = await useReceiver()

const rulesWith = (privateHosts: string, more: Partial<OutgoingRules> = {}): OutgoingRules => ({
  what: 'parcels',
  allowPrivateAddresses: false,
  setting: 'OUTGOING_PRIVATE_HOSTS=<this host>',
  privateHosts: parsePrivateHosts(privateHosts) ?? (() => false),
  ...more,
})

/** Fetches parcels of at most 1,000 bytes. */
function parcels(options: Partial<OutgoingOptions> = {}) {
  const outgoing = createOutgoing({
    rules: rulesWith('receiver.test,localhost'),
    resolve: async () => ['127.0.0.1'],
    ca: receiver.ca,
    connectMilliseconds: 60_000,
    timeoutMilliseconds: 60_000,
    ...options,
  })
  onTestFinished(() => outgoing.close())
  return outgoing.fetch('parcel', 1_000)
}

describe('a request to a server that an administrator names', () => {
  it('carries method, headers and body, and brings status, headers and body back', async () => {
    const hook = receiver.hook('receiver.test')
    hook.answer = () => ({ status: 201, headers: { 'content-type': 'application/json', 'x-two': 'a, b' }, body: '{"a":"ü"}' })

    const body = new URLSearchParams({ code: 'a b' })
    const response = await parcels()(`${hook.url}`, { method: 'POST', headers: { accept: 'application/json' }, body })

    expect(hook.requests).toMatchObject([
      {
        method: 'POST',
        body: 'code=a+b',
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': expect.stringMatching(/^application\/x-www-form-urlencoded/),
          'content-length': '8',
          'user-agent': 'Gatehouse',
        },
      },
    ])
    expect(response).toMatchObject({ status: 201, ok: true })
    expect(response.headers.get('x-two')).toBe('a, b')
    expect(await response.json()).toEqual({ a: 'ü' })
  })

  it('leaves no idle connection open for as long as the server asks', async () => {
    let isClosed = false
    const server = createPlainServer({ keepAliveTimeout: 600_000 }, ({ socket }, response) => {
      socket.on('close', () => {
        isClosed = true
      })
      response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('here')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as { port: number }

    expect(await parcels({ rules: rulesWith('', { allowLoopback: true }) })(`http://localhost:${port}/`)).toMatchObject({ status: 200 })
    expect(isClosed).toBe(false)
    await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 20_000 })
  })

  it.each([204, 304])('may be answered %s, without a body', async (status) => {
    const hook = receiver.hook('receiver.test')
    hook.answer = () => ({ status })

    expect(await parcels()(hook.url)).toMatchObject({ status, body: null })
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect (%s)', async (status) => {
    const [hook, target] = [receiver.hook('receiver.test'), receiver.hook('receiver.test')]
    hook.answer = () => ({ status, headers: { location: target.url } })

    const response = await parcels()(hook.url)

    expect([response.status, response.headers.get('location')]).toEqual([status, target.url])
    expect(target.requests).toEqual([])
  })

  it('takes a response up to the size that is named, and nothing longer', async () => {
    const hook = receiver.hook('receiver.test')
    const fetch = parcels()
    hook.answer = () => ({ status: 200, body: 'x'.repeat(1_000) })
    expect(await (await fetch(hook.url)).text()).toHaveLength(1_000)

    for (const size of [1_001, 5_000_000]) {
      hook.answer = () => ({ status: 200, body: 'x'.repeat(size) })
      await expect(fetch(hook.url)).rejects.toMatchObject({ reason: 'too-large', message: 'The parcel is longer than 1000 bytes' })
    }
  })

  it('ends when a server does not respond in time', async () => {
    const hook = receiver.hook('receiver.test')
    hook.answer = () => new Promise(() => {})
    const fetch = parcels({ timeoutMilliseconds: 200 })

    await expect(fetch(hook.url)).rejects.toMatchObject({ reason: 'timeout', message: 'The parcel has not arrived within 200 ms' })
  })

  it('ends when the response does not end in time, and when a connection takes too long', async () => {
    const server = createPlainServer((request, response) => {
      response.write('x')
      const trickle = setInterval(() => response.write('x'), 20)
      request.on('close', () => clearInterval(trickle))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as { port: number }
    const rules = rulesWith('', { allowLoopback: true })

    await expect(parcels({ rules, timeoutMilliseconds: 300 })(`http://localhost:${port}/`)).rejects.toMatchObject({ reason: 'timeout' })
    // A server without TLS never completes a handshake.
    await expect(parcels({ rules, connectMilliseconds: 200 })(`https://localhost:${port}/`)).rejects.toMatchObject({ reason: 'connection' })
  })

  it('ends with the signal of its caller', async () => {
    const hook = receiver.hook('receiver.test')
    hook.answer = () => new Promise(() => {})
    const controller = new AbortController()
    const fetching = parcels()(hook.url, { signal: controller.signal })
    await hook.request()
    controller.abort(new Error('Enough'))

    await expect(fetching).rejects.toThrow('Enough')
  })

  it('trusts no certificate of an unknown authority', async () => {
    const hook = receiver.hook('receiver.test')

    await expect(parcels({ ca: undefined })(hook.url)).rejects.toMatchObject({
      reason: 'connection',
      message: expect.stringMatching(/^The parcel cannot be fetched: DEPTH_ZERO_SELF_SIGNED_CERT: .*NODE_EXTRA_CA_CERTS=/),
    })
    expect(hook.requests).toEqual([])
  })

  it('goes through no proxy of the environment', async () => {
    const hook = receiver.hook('receiver.test')
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, 'http://127.0.0.1:9')
    onTestFinished(() => void vi.unstubAllEnvs())

    expect(await parcels()(hook.url)).toMatchObject({ status: 200 })
  })
})

describe('the destination of a request', () => {
  it.each([
    ['a private address', ['10.0.0.7'], 'receiver.test resolves to a private address: OUTGOING_PRIVATE_HOSTS=<this host>'],
    ['a loopback address', ['127.0.0.1'], 'receiver.test resolves to a loopback address: OUTGOING_PRIVATE_HOSTS=<this host>'],
    [
      'a public and a private one',
      ['93.184.216.34', 'fd00::1'],
      'receiver.test resolves to a private address: OUTGOING_PRIVATE_HOSTS=<this host>',
    ],
    ['metadata', ['169.254.169.254'], 'receiver.test resolves to a link-local address, where parcels never go'],
    ['no address', [], 'receiver.test resolves to no address'],
  ])('must not be a name that resolves to %s', async (_, addresses, reason) => {
    const hook = receiver.hook('receiver.test')
    const fetch = parcels({ rules: rulesWith('other.test, 10.9.0.0/16'), resolve: async () => addresses })

    await expect(fetch(hook.url)).rejects.toMatchObject({ reason: 'forbidden', message: `The parcel cannot be fetched: ${reason}` })
    expect(hook.requests).toEqual([])
  })

  it('must not be the metadata service of a cloud, even when its name and its range are opened', async () => {
    const rules = rulesWith('receiver.test, 0.0.0.0/0, ::/0')
    for (const address of ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:168.63.129.16']) {
      const fetch = parcels({ rules, resolve: async () => [address] })
      await expect(fetch('https://receiver.test/')).rejects.toMatchObject({ reason: 'forbidden' })
    }
  })

  it('is checked with each connection, which goes to the checked address', async () => {
    const hook = receiver.hook('receiver.test')
    hook.answer = () => ({ status: 200, headers: { connection: 'close' } })
    const answers = [['127.0.0.1'], ['169.254.169.254']]
    let asked = 0
    const fetch = parcels({ resolve: async () => answers[asked++] ?? [] })

    expect(await fetch(hook.url)).toMatchObject({ status: 200 })
    expect(asked).toBe(1)
    await expect(fetch(hook.url)).rejects.toMatchObject({ reason: 'forbidden' })
    expect([asked, hook.requests.length]).toEqual([2, 1])
  })

  it('is open by the range of its address', async () => {
    const hook = receiver.hook('receiver.test')
    expect(await parcels({ rules: rulesWith('127.0.0.0/8') })(hook.url)).toMatchObject({ status: 200 })
  })

  it('must be called by https, except on this machine during development', async () => {
    const production = parcels({ rules: rulesWith('localhost,10.0.0.0/8') })
    const development = parcels({ rules: rulesWith('10.0.0.0/8', { allowLoopback: true }), resolve: async () => ['10.0.0.7'] })

    const message = (host: string, why = '') => `The parcel cannot be fetched: ${host} ${why}must be called by https`
    await expect(production(`http://localhost:${receiver.port}/`)).rejects.toMatchObject({
      reason: 'forbidden',
      message: message('localhost'),
    })
    await expect(development('http://idp.test/')).rejects.toMatchObject({
      reason: 'forbidden',
      message: message('idp.test', 'is not this machine, and '),
    })
  })

  it.each(['ftp://localhost/', 'file:///etc/passwd', 'data:text/plain,a', 'no URL'])('must be a URL of the web, unlike %s', async (url) => {
    await expect(parcels()(url)).rejects.toMatchObject({ name: 'OutgoingError' })
  })
})
