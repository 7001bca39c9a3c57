import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'
import { needs } from './needs.ts'

/** Of tests that start a Redis of their own. */
export const needsRedis = needs('redis-server', spawnSync('redis-server', ['--version']).error === undefined)

/** A real Redis that stores nothing on disk. Its port stays the same when it is stopped and started again. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  #process: ChildProcess | undefined

  readonly #options: string[]

  private constructor(port: number, options: string[]) {
    this.#port = port
    this.#options = options
    this.url = `redis://127.0.0.1:${port}`
  }

  static async start({ password }: { password?: string } = {}): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), password === undefined ? [] : ['--requirepass', password])
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...this.#options]
    const started = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#process = started
    let printed = ''
    for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk
      if (printed.includes('Ready to accept connections')) break
    }
    started.stdout.resume()
    if (!printed.includes('Ready to accept connections')) throw new Error(`Redis did not start: ${printed}`)
  }

  async stop(): Promise<void> {
    const running = this.#process
    if (!running || running.exitCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }
}
