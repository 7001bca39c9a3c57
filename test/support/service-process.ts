import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { inject } from 'vitest'
import { builtService, nodeFlags } from './built-service.ts'
import { copyFolder } from './copy-folder.ts'
import { dropDatabase, freshPostgresUrl } from './database.ts'
import { freePort } from './free-port.ts'
import { HttpClient } from './http-client.ts'
import { neverMilliseconds } from './never.ts'
import { timed } from './profile.ts'

/** The environment of a process with the kind of database that the run tests, in a folder of its own. */
export interface ProcessHome {
  folder: string
  environment: Record<string, string>
  remove(): Promise<void>
}

/**
 * @param empty whether the database has not even the schema, as at a first start
 * @param like a home whose database this one gets a copy of, while nothing has it open
 */
export async function processHome({ empty = false, like }: { empty?: boolean; like?: ProcessHome } = {}): Promise<ProcessHome> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-process-'))
  const dataDir = join(folder, 'data')
  const database = inject('database')
  const databaseUrl = database.kind === 'postgres' ? await freshPostgresUrl({ empty, like: like?.environment.DATABASE_URL }) : undefined
  if (database.kind === 'pglite' && !empty) {
    await mkdir(dataDir)
    await copyFolder(like ? join(like.environment.DATA_DIR as string, 'database') : database.folder, join(dataDir, 'database'))
  }
  return {
    folder,
    environment: { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    async remove() {
      await rm(folder, { recursive: true, force: true })
      if (databaseUrl) await dropDatabase(databaseUrl)
    },
  }
}

/** The built service in a process of its own. */
export class ServiceProcess {
  readonly child: ChildProcess
  readonly origin: string
  readonly anonymous: HttpClient
  #output = ''
  readonly #exited: Promise<unknown>
  readonly #rejectExit: (reason: Error) => void
  /** Has ended, and all of its output has been read. */
  readonly #closed: Promise<unknown>

  private constructor(child: ChildProcess, origin: string) {
    this.child = child
    this.origin = origin
    this.anonymous = new HttpClient(origin)
    const exited = Promise.withResolvers<unknown>()
    child.once('exit', exited.resolve)
    this.#exited = exited.promise
    this.#rejectExit = exited.reject
    this.#closed = once(child, 'close')
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (this.#output += text))
  }

  /**
   * Starts it on a free port. It inherits only the given variables of this process's environment.
   *
   * @param command the program and its folder, when it is not the build of this checkout
   */
  static async start(
    environment: Record<string, string>,
    { command, folder }: { command?: readonly [string, ...string[]]; folder?: string } = {},
  ): Promise<ServiceProcess> {
    const port = await freePort()
    const [program, ...parameters] = command ?? [process.execPath, ...nodeFlags, builtService, 'serve']
    const child = spawn(program, parameters, {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Not by its name: to look up names, this process has few threads, which tests of unknown hosts can hold for seconds.
    return new ServiceProcess(child, `http://127.0.0.1:${port}`)
  }

  /** The whole output so far. */
  get output(): string {
    return this.#output
  }

  /** Resolves when `/readyz` responds 200. Throws when the process ends before. */
  async ready(): Promise<this> {
    await timed('process', () => this.until(async () => (await this.#ask('/readyz'))?.ok))
    return this
  }

  /** Resolves with the output once it matches the pattern. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    return this.until(async () => pattern.exec(this.#output) ?? undefined)
  }

  /** Resolves when it accepts no new connections: while it stops, or when it has ended. */
  async refusesConnections(): Promise<void> {
    while (await fetch(`${this.origin}/healthz`).catch(() => undefined)) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** A response, unless there is none: a process that hangs accepts connections, too. */
  async #ask(path: string): Promise<Response | undefined> {
    return fetch(`${this.origin}${path}`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
  }

  /** Polls the process. Throws when it ends before, or when what is waited for never comes: with what it has printed, which says why. */
  async until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
    for (const never = Date.now() + neverMilliseconds; Date.now() < never; ) {
      const answer = await ask()
      if (answer) return answer
      const end = this.child.exitCode ?? this.child.signalCode
      if (end !== null) throw new Error(`The service ended with ${end}:\n${this.#output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`What is waited for has not come. The service printed:\n${this.#output}`)
  }

  /** Sends a signal and waits for the end. @returns the exit code, null when the signal ended it */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal)
    const never = setTimeout(
      () => this.#rejectExit(new Error(`It has not ended. The service printed:\n${this.#output}`)),
      neverMilliseconds,
    )
    await timed('teardown', () => this.#exited)
    clearTimeout(never)
    return this.child.exitCode
  }

  /** @returns the exit code of a process that ends by itself */
  async exitCode(): Promise<number | null> {
    await this.#closed
    return this.child.exitCode
  }
}
