import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { databaseKind, freshPostgresUrl } from '../support/database.ts'
import { startTestService } from '../support/service.ts'

const systemApiKey = randomBytes(32).toString('hex')
let child: ChildProcess | undefined
let dataDir: string | undefined

afterEach(async () => {
  child?.kill('SIGKILL')
  if (dataDir) await rm(dataDir, { recursive: true, force: true })
})

/** Starts the real program as an operator would, and waits until it prints its address. */
async function startProgram(): Promise<{ origin: string; program: ChildProcess }> {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-program-'))
  const program = spawn(process.execPath, [builtService, 'serve'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      DATA_DIR: dataDir,
      SYSTEM_API_KEY: systemApiKey,
      ...(databaseKind() === 'postgres' && { DATABASE_URL: await freshPostgresUrl() }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = program
  for await (const line of createInterface({ input: program.stdout })) {
    const address = line.startsWith('{') ? JSON.parse(line).address : undefined
    if (address) {
      program.stdout.resume()
      return { origin: address, program }
    }
  }
  throw new Error('The program ended before it listened')
}

describe('SIGTERM', () => {
  it('lets running requests finish, closes every connection, and exits with 0 within ten seconds', { timeout: 90_000 }, async () => {
    const { origin, program } = await startProgram()
    // A browser's idle connection must not delay it.
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    const underWay = Array.from({ length: 5 }, (_, number) =>
      fetch(`${origin}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `nobody-${number}@example.test`, password: 'wrong password' }),
      }),
    )
    // After the first response, the others are being handled.
    await Promise.race(underWay)

    const exited = once(program, 'exit')
    const signalled = performance.now()
    program.kill('SIGTERM')

    const [code] = await exited
    expect(code).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(10_000)
    expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow()
  })
})

describe('a stop', () => {
  it('serves a request that still arrives on an open connection, and closes it', async () => {
    const service = await startTestService()
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    // Half a request after a complete one: after the response to that, the connection is in use again.
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/me/profile HTTP/1.1\r\n')
    await expect.poll(() => received, { timeout: 10_000 }).toContain('200 OK')

    received = ''
    const stopped = service.stop()
    await expect.poll(() => fetch(service.origin).catch(() => 'refused'), { timeout: 10_000 }).toBe('refused')
    const ended = once(socket, 'close')
    socket.write('Host: x\r\n\r\n')
    await Promise.all([ended, stopped])

    expect(received).toMatch(/^HTTP\/1.1 401 /)
    expect(received).toMatch(/\r\ncontent-type: application\/problem\+json/i)
    expect(received).toMatch(/\r\nconnection: close\r\n/i)
  })
})
