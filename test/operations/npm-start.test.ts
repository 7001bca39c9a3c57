import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { builtService } from '../support/built-service.ts'
import { copyFolder } from '../support/copy-folder.ts'
import { freePort } from '../support/free-port.ts'
import { processHome } from '../support/service-process.ts'

async function npmStart(port: number, environment: Record<string, string>): Promise<ChildProcess> {
  const npm = spawn('npm', ['start'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own, so that all of it can be ended after a failure.
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL')
    } catch {
      // The whole group has ended.
    }
  })
  npm.stdout?.resume()
  while (!(await isReady(port))) {
    if (npm.exitCode !== null) throw new Error(`npm ended with ${npm.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return npm
}

const isReady = async (port: number) => (await fetch(`http://localhost:${port}/readyz`).catch(() => undefined))?.ok ?? false

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('that is sent %s ends with the service, and releases its port and database', async (signal) => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const port = await freePort()

    for (let start = 1; start <= 2; start++) {
      const npm = await npmStart(port, home.environment)
      const ended = once(npm, 'exit')
      npm.kill(signal)
      expect(await ended).toEqual([0, null])
      await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
    }
  })
})

describe('the command', () => {
  const run = (...parameters: string[]) => promisify(execFile)(process.execPath, parameters, { env: { PATH: process.env.PATH } })
  const saidBy = (...parameters: string[]) => run(...parameters).catch(({ code, stderr }) => ({ code, stderr }))

  it('prints its release', async () => {
    expect(await run(builtService, '--version')).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' })
  })

  it('lists its commands, and refuses unknown ones', async () => {
    const { stdout } = await run(builtService, '--help')
    for (const command of ['serve', 'migrate', 'webhooks']) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    for (const [words, said] of [
      [['constructor'], "Unknown command 'constructor'"],
      [['webhooks'], 'Usage: gatehouse webhooks <command>'],
      [['webhooks', 'read'], "Unknown command 'read'"],
    ] as const) {
      expect(await saidBy(builtService, ...words)).toEqual({ code: 2, stderr: expect.stringContaining(said) })
    }
  })

  describe('under an older Node', () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})"
    const refusal = (remedy: string) => ({
      code: 1,
      stderr: `Gatehouse needs Node.js ${packageJson.engines.node}, this is 20.19.0: ${remedy}\n`,
    })

    it('names `npm start`, which uses another', async () => {
      expect(await saidBy('--import', older, builtService)).toEqual(refusal('start it with `npm start`'))
    })

    it('names what to install when there is no other', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-old-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      await copyFolder(dirname(builtService), join(folder, 'dist'))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))

      expect(await saidBy('--import', older, join(folder, 'dist/gatehouse.js'))).toEqual(refusal('install Node.js 24'))
    })
  })
})
