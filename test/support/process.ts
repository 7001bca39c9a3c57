import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process of the real service, which can be killed. */
export interface ServiceProcess {
  origin: string
  /** SIGKILL: nothing is finished, nothing is said. */
  kill(): Promise<void>
  /** SIGTERM; @returns the exit code */
  stop(): Promise<number | null>
}

/** Starts `src/main.ts` on a free port and waits until it is ready. */
export async function startProcess(environment: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  return {
    origin: await addressOf(child),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines: string[] = []
    child.stderr?.on('data', (chunk) => lines.push(String(chunk)))
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${lines.slice(-20).join('\n')}`)))
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line)
      if (!line.includes('Gatehouse is ready')) return
      resolve(JSON.parse(line).address)
    })
  })
}
