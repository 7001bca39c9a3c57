import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { freePort } from '../support/free-port.ts'
import { processHome } from '../support/service-process.ts'

async function npmStart(port: number, environment: Record<string, string>): Promise<ChildProcess> {
  const npm = spawn('npm', ['start'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that what a failure leaves behind can be ended with it.
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid as number), 'SIGKILL')
    } catch {
      // All of it has ended.
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
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'that is sent %s ends with the service, whose port and database are free',
    { timeout: 90_000 },
    async (signal) => {
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
    },
  )
})

describe('the program', () => {
  const run = (...parameters: string[]) => promisify(execFile)(process.execPath, parameters, { env: { PATH: process.env.PATH } })

  it('says which release it is', async () => {
    expect(await run('src/start.js', '--version')).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' })
  })

  describe('under an older Node', () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})"
    const saidBy = (file: string) => run('--import', older, file).catch(({ code, stderr }) => ({ code, stderr }))

    it('names `npm start`, which brings another', async () => {
      const stderr = 'Gatehouse needs Node.js 24 or later, this is 20.19.0: start it with `npm start`\n'
      expect(await saidBy('src/start.js')).toEqual({ code: 1, stderr })
    })

    it('names what brings another, where that was left out', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-old-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      await cp('src/start.js', join(folder, 'src/start.js'))
      await cp('package.json', join(folder, 'package.json'))

      const stderr =
        'Gatehouse needs Node.js 24 or later, this is 20.19.0: install Node.js 24, or run `npm ci` without --omit=dev, which brings one for `npm start`\n'
      expect(await saidBy(join(folder, 'src/start.js'))).toEqual({ code: 1, stderr })
    })
  })
})
