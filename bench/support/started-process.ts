import { spawn } from 'node:child_process'
import process from 'node:process'
import { freePort } from '../../test/support/free-port.ts'

export interface StartedProcess {
  pid: number
  origin: string
  stop(): Promise<void>
}

/**
 * Starts one of our servers as its own process and waits until it responds at `readyPath`.
 *
 * @param flags of Node's command line
 * @param parameters of the script
 */
export async function startProcess(
  script: string,
  environment: Record<string, string>,
  readyPath: string,
  flags: readonly string[] = [],
  parameters: readonly string[] = [],
): Promise<StartedProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, script, ...parameters], {
    env: { PATH: process.env.PATH, ...environment, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // Also when the measurement fails.
  process.once('exit', () => child.kill())
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`)
    const response = await fetch(origin + readyPath).catch(() => undefined)
    if (response?.ok) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    pid: child.pid as number,
    origin,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
