/** The test mode cannot be switched on where users sign in: by no setting, and not because its code is there. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestMode } from '../../src/test-mode/start-test-mode.ts'
import { builtService } from '../support/built-service.ts'
import { runProcess } from '../support/command.ts'
import { databaseKind } from '../support/database.ts'
import { HttpClient } from '../support/http-client.ts'
import { processHome, ServiceProcess } from '../support/service-process.ts'

const built = dirname(builtService)

/** What the build holds and what the options are is the same whatever the database is. */
const ofAny = describe.runIf(databaseKind() === 'postgres')

/** The chunks of the build that hold code of the test mode. */
async function chunksOfTestMode(): Promise<string[]> {
  const maps = (await readdir(built)).filter((name) => name.endsWith('.js.map'))
  const sources = await Promise.all(maps.map(async (name) => JSON.parse(await readFile(join(built, name), 'utf8')).sources as string[]))
  return maps.filter((_, index) => sources[index]?.some((source) => source.includes('src/test-mode/'))).map((name) => name.slice(0, -4))
}

/** The chunks that a chunk imports, at once or later. */
async function importsOf(chunk: string): Promise<string[]> {
  const code = await readFile(join(built, chunk), 'utf8')
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, name = '']) => name)
}

/** All chunks that code of these can ever load. */
async function reachedFrom(chunks: readonly string[]): Promise<Set<string>> {
  const reached = new Set(chunks)
  for (const chunk of reached) {
    for (const name of await importsOf(chunk)) reached.add(name)
  }
  return reached
}

ofAny('the test mode in the bundle', () => {
  it('is in chunks of its own, which nothing of a service can load', async () => {
    const own = await chunksOfTestMode()
    expect(own.length).toBeGreaterThan(0)
    const chunks = await readdir(built)
    const serving = chunks.filter((name) => /^(serve|serve-by-workers|migrate|pglite-thread|saml-thread)(-[\w-]+)?\.js$/.test(name))
    expect(serving.length).toBeGreaterThan(3)
    const reached = await reachedFrom(serving)
    expect(reached.size).toBeGreaterThan(50)
    expect(own.filter((name) => reached.has(name))).toEqual([])
  })
})

ofAny('the functions of Node that draw at random', () => {
  it('are replaced by no code but that of the test mode', async () => {
    const own = await chunksOfTestMode()
    const chunks = (await readdir(built)).filter((name) => name.endsWith('.js'))
    const replacing = await Promise.all(
      chunks.map(async (name) => ((await readFile(join(built, name), 'utf8')).includes('syncBuiltinESMExports') ? [name] : [])),
    )
    expect(replacing.flat()).toHaveLength(1)
    expect(own).toEqual(expect.arrayContaining(replacing.flat()))
  })
})

describe('a running service', () => {
  it('has loaded nothing of the test mode, and has none of its controls, whatever it is told', async () => {
    const home = await processHome()
    onTestFinished(() => home.remove())
    const coverage = join(home.folder, 'coverage')
    const switches = { TEST_MODE: '1', GATEHOUSE_TEST_MODE: 'on', GATEHOUSE_MODE: 'test', NODE_ENV: 'test', EXTEND: 'test-mode' }
    // Node writes there which modules it has loaded.
    const service = await ServiceProcess.start({ ...home.environment, ...switches, NODE_V8_COVERAGE: coverage, LOG_LEVEL: 'warn' })
    onTestFinished(() => service.end('SIGKILL').then(() => {}))
    await service.ready()
    const { anonymous } = service
    for (const [method, path] of [
      ['GET', '/_test'],
      ['GET', '/_test/openapi.json'],
      ['POST', '/_test/clock/advance'],
      ['POST', '/_test/organisations'],
      ['POST', '/_test/sessions'],
    ] as const) {
      const headers = { 'gatehouse-test-mode': 'on', 'x-test-mode': 'on' }
      const answer = await anonymous.request(method, path, { headers, ...(method === 'POST' && { body: {} }) })
      expect([path, answer.status, answer.headers.get('gatehouse-test-mode')]).toEqual([path, 404, null])
    }
    expect((await anonymous.get('/healthz')).headers.has('gatehouse-test-mode')).toBe(false)
    expect(await service.end()).toBe(0)

    const loaded = new Set<string>()
    for (const file of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as { result: { url: string }[] }
      for (const { url } of result)
        if (url.startsWith('file:') && dirname(fileURLToPath(url)) === built) loaded.add(basename(fileURLToPath(url)))
    }
    expect(loaded.size).toBeGreaterThan(20)
    const own = await chunksOfTestMode()
    expect([...loaded].filter((name) => own.includes(name))).toEqual([])
  })
})

ofAny('gatehouse test-mode', () => {
  it.each([
    ['in production', { NODE_ENV: 'production' }, 'NODE_ENV is "production"'],
    ['on all addresses', { HOST: '0.0.0.0' }, 'HOST is "0.0.0.0"'],
    ['on an address of the network', { HOST: '192.0.2.7' }, 'HOST is "192.0.2.7"'],
    ['under a public name', { PUBLIC_URL: 'https://id.example.com' }, 'PUBLIC_URL is "https://id.example.com"'],
    ['under a name that development is allowed on', { ALLOW_DEVELOPMENT_ON: 'id.example.com' }, 'ALLOW_DEVELOPMENT_ON is set'],
  ])('does not start %s', async (_, environment, message) => {
    const log = { write() {} }
    await expect(startTestMode({ environment, port: 0, log })).rejects.toThrow(message)
  })

  it('does not start where a file of the environment says production, and is no option of serve', async () => {
    const file = join(await temporaryFolder(), 'environment')
    await writeFile(file, 'NODE_ENV=production\n')
    const { status, stdout, stderr } = await runProcess({}, ['test-mode', '--env-file', file])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('NODE_ENV is "production"')
    expect((await runProcess({}, 'serve --test-mode')).status).toBe(2)
    expect((await runProcess({}, 'test-mode --port 99999')).status).toBe(2)
  })
})

describe.runIf(databaseKind() === 'postgres')('gatehouse test-mode on a PostgreSQL', () => {
  it('does not start where there are organisations', async () => {
    const home = await processHome({ empty: true })
    onTestFinished(() => home.remove())
    const first = await startTestMode({ environment: home.environment, port: 0, log: { write() {} } })
    await new HttpClient(first.url).post('/_test/organisations', {})
    await first.stop()
    const { status, stderr } = await runProcess(home.environment, 'test-mode --port 0')
    expect(status).toBe(1)
    expect(stderr).toContain('DATABASE_URL names a database that has organisations')
  })
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-mode-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
