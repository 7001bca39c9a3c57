import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { needs } from '../support/needs.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'
import { runSystemServer, systemProgram } from '../support/system-program.ts'

const operations = new URL('../../docs/operations.md', import.meta.url)

/** The block of docs/operations.md that begins with this line, with the ports of the test. */
async function snippet(firstLine: string, ports: Readonly<Record<string, number>>): Promise<string> {
  const blocks = (await readFile(operations, 'utf8')).matchAll(/```\w*\n([\s\S]*?)```/g)
  const found = [...blocks].map(([, block = '']) => block).find((block) => block.startsWith(firstLine))
  if (!found) throw new Error(`docs/operations.md has no block that begins with ${firstLine}`)
  return Object.entries(ports).reduce((text, [written, port]) => text.replaceAll(written, `127.0.0.1:${port}`), found)
}

interface Balancer {
  origin: string
  /** For a proxy that asks no `/readyz`: sends nothing more to the process that is about to stop. */
  forgetFormer?(): Promise<void>
  stop(): Promise<void>
}

/** Sends each request to the next process that is ready, by connections that it keeps, as every proxy does. Repeats none. */
async function ownBalancer(origins: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let ready: string[] = []
  let next = 0
  const check = async () => {
    const states = await Promise.all(
      origins.map((origin) =>
        fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    ready = origins.filter((_, place) => states[place])
  }
  const checks = setInterval(check, 200)
  await check()
  const server: Server = createServer((received, response) => {
    const origin = ready[next++ % ready.length] as string
    forward(origin, received, response, agent)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      clearInterval(checks)
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

function forward(origin: string, received: IncomingMessage, response: ServerResponse, agent: Agent): void {
  const { method, url, headers } = received
  const passed = request(`${origin}${url}`, { method, headers: { ...headers, connection: 'keep-alive' }, agent }, (answer) => {
    response.writeHead(answer.statusCode as number, { 'content-type': answer.headers['content-type'] })
    answer.pipe(response)
  })
  passed.on('error', (error) => response.writeHead(502).end(String(error)))
  received.pipe(passed)
}

const balancers: Readonly<Record<string, (ports: readonly [number, number], program: string | undefined) => Promise<Balancer>>> = {
  'a balancer of a few lines': (ports) => ownBalancer(ports.map((port) => `http://127.0.0.1:${port}`)),
  async HAProxy([one, other], program) {
    const port = await freePort()
    const file = await snippet('frontend id', { '*:80': port, '10.0.0.1:3000': one, '10.0.0.2:3000': other })
    const states = await freePort()
    const start = `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend states
  bind 127.0.0.1:${states}
  stats enable
  stats uri /
`
    const { stop } = await runSystemServer(
      program as string,
      { 'haproxy.cfg': `${start}${file}` },
      {
        port,
        parameters: (folder) => ['-db', '-f', `${folder}/haproxy.cfg`],
      },
    )
    // Until its first check it takes every server for one that is ready.
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${states}/;csv`)).text()).toMatch(/^gatehouse,two,.*,DOWN,/m)
    return { origin: `http://127.0.0.1:${port}`, stop }
  },
  async nginx([one, other], program) {
    const port = await freePort()
    const file = await snippet('upstream gatehouse', { '*:80': port, '10.0.0.1:3000': one, '10.0.0.2:3000': other })
    const start = 'daemon off;\npid FOLDER/nginx.pid;\nerror_log FOLDER/error.log;\nevents {}\nhttp {\naccess_log off;\n'
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path FOLDER/${name};\n`).join('')
    const { stop, reload } = await runSystemServer(
      program as string,
      { 'nginx.conf': `${start}${temporary}${file}}\n` },
      {
        port,
        parameters: (folder) => ['-p', folder, '-c', `${folder}/nginx.conf`],
      },
    )
    const withoutFormer = file
      .split('\n')
      .filter((line) => !line.includes(`server 127.0.0.1:${one} `))
      .join('\n')
    return {
      origin: `http://127.0.0.1:${port}`,
      stop,
      forgetFormer: () => reload('nginx.conf', `${start}${temporary}${withoutFormer}}\n`),
    }
  },
}

describe('a deployment', () => {
  for (const [name, balance] of Object.entries(balancers)) {
    const program = systemProgram(name.toLowerCase())
    const needed = ['HAProxy', 'nginx'].includes(name) ? needs(name.toLowerCase(), program !== undefined) : {}
    it(`behind ${name} loses no request`, needed, async () => {
      const home = await processHome()
      onTestFinished(() => home.remove())
      // In development a request is a line of the log only then.
      const logging = { LOG_LEVEL: 'debug' }
      const secretKey = randomBytes(32).toString('base64')
      const environment = { ...home.environment, ...logging, SECRET_KEY: secretKey, DRAIN_SECONDS: '3', RATE_LIMIT: 'off' }
      const newPort = await freePort()
      const startNew = async () => {
        const started = await ServiceProcess.start({ ...environment, PORT: String(newPort) })
        onTestFinished(async () => void (await started.end('SIGKILL')))
        await started.until(async () => (await fetch(`http://127.0.0.1:${newPort}/readyz`).catch(() => undefined))?.ok)
        return started
      }
      const former = await (await ServiceProcess.start(environment)).ready()
      onTestFinished(async () => void (await former.end('SIGKILL')))
      // nginx looks at no /readyz: it is told of a process that is ready.
      if (name === 'nginx') await startNew()
      const balancer = await balance([Number(new URL(former.origin).port), newPort], program)
      onTestFinished(() => balancer.stop())

      const statuses = new Map<string, number>()
      let isOver = false
      const clients = Array.from({ length: 6 }, async (_, client) => {
        for (let count = 0; !isOver; count++) {
          const outcome = await ask(balancer.origin, count % 10 === client ? 'POST' : 'GET')
          statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
        }
      })
      // The proxy sends it requests before the former one is told to stop.
      if (name !== 'nginx') await (await startNew()).printed(/"path":"\/\.well-known\/openid-configuration"/)
      await balancer.forgetFormer?.()
      const exitCode = await former.end()
      // With the new one alone.
      for (let count = 0; count < 20; count++) await ask(balancer.origin, 'GET')
      isOver = true
      await Promise.all(clients)

      expect(exitCode).toBe(0)
      expect(statuses.get('GET 200')).toBeGreaterThan(50)
      expect([...statuses.keys()].sort()).toEqual(['GET 200', 'POST 401'])
    })
  }
})

describe('HAProxy, as the page configures it,', () => {
  const program = systemProgram('haproxy')
  it('repeats no request that a process may have carried out', needs('haproxy', program !== undefined), async () => {
    const received: string[] = []
    // It carries out what it is asked, and ends before it has responded.
    const dying = createServer((request, response) => {
      if (request.url === '/readyz') return response.end()
      received.push(`${request.method} ${request.url}`)
      request.socket.destroy()
    })
    const port = await freePort()
    await new Promise<void>((resolve) => dying.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void dying.close())
    const balancer = await balancers.HAProxy?.([port, await freePort()], program)
    onTestFinished(() => balancer?.stop())

    expect(await ask(balancer?.origin ?? '', 'POST')).toBe('POST 502')

    expect(received).toEqual(['POST /v1/auth/login'])
  })
})

/** On a connection of its own: a proxy that reads its files again closes those that are idle, also when a request is on its way. */
function ask(origin: string, method: 'GET' | 'POST'): Promise<string> {
  const path = method === 'GET' ? '/.well-known/openid-configuration' : '/v1/auth/login'
  return new Promise((resolve) => {
    const asked = request(`${origin}${path}`, { method, agent: false, headers: { 'content-type': 'application/json' } }, (response) => {
      response.on('error', (error: NodeJS.ErrnoException) => resolve(`${method} ${error.code}`))
      response.on('end', () => resolve(`${method} ${response.statusCode}`))
      response.resume()
    })
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(`${method} ${error.code}`))
    asked.end(method === 'POST' ? JSON.stringify({ email: 'nobody@example.test', password: 'wrong password' }) : undefined)
  })
}
