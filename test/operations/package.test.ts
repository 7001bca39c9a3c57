import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { needs } from '../support/needs.ts'
import { PageVisitor } from '../support/page-visitor.ts'
import { ServiceProcess } from '../support/service-process.ts'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('../..', import.meta.url))
const node22 = join(checkout, 'tools/node-22', 'node_modules/.bin/node')
const isInstalled = existsSync(node22)

const npm = (folder: string, command: string, ...parameters: string[]) =>
  run('npm', [command, '--prefix', folder, '--loglevel', 'error', ...parameters], { cwd: folder })

/** Installs a package and its dependencies; without a registry, those of the checkout. */
async function install(folder: string, tarball: string): Promise<void> {
  const installed = await npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', tarball).catch(
    (error: { stderr: string }) => error,
  )
  if ('code' in installed && !/code (ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|ENOTCACHED)/.test(installed.stderr)) throw installed
  if (!('code' in installed)) return
  const modules = join(folder, 'node_modules')
  for (const name of Object.keys(packageJson.dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(checkout, 'node_modules', name), join(modules, name))
  }
  await mkdir(join(modules, packageJson.name), { recursive: true })
  await mkdir(join(modules, '.bin'), { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, packageJson.name)])
  for (const [name, file] of Object.entries(packageJson.bin)) {
    await chmod(join(modules, packageJson.name, file), 0o755)
    await symlink(join('..', packageJson.name, file), join(modules, '.bin', name))
  }
}

/** The owner of a first start signs in at the console, and it loads. */
async function expectConsole(origin: string, path: string, credentials: { email: string; password: string }): Promise<void> {
  const visitor = new PageVisitor(origin)
  const sent = await visitor.open(path)
  const signedIn = await visitor.submit(sent.headers.get('location') ?? '', credentials)
  expect(signedIn.headers.get('location')).toBe(path)
  const { body } = await visitor.open(path)
  const [script = ''] = /\/console\/assets\/index-[^"]+\.js/.exec(body) ?? []
  const loaded = await visitor.open(script)
  expect(loaded.status).toBe(200)
  expect(loaded.headers.get('content-encoding')).toBe('gzip')
}

describe('the package', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-package-'))
    await npm(checkout, 'pack', '--pack-destination', folder)
    await install(folder, join(folder, `gatehouse-iam-${packageJson.version}.tgz`))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('contains the built service with its documents and examples, and no sources', async () => {
    const files = await readdir(join(folder, 'node_modules/gatehouse-iam'))
    expect(files.sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'deploy',
      'dist',
      'docs',
      'examples',
      'package.json',
    ])
    const built = await readdir(join(folder, 'node_modules/gatehouse-iam/dist'), { recursive: true })
    expect(built.filter((file) => /\.ts$|\.test\./.test(file))).toEqual([])
    expect(await readFile(join(folder, 'node_modules/gatehouse-iam/dist/licences.txt'), 'utf8')).toContain(
      `fastify ${packageJson.devDependencies.fastify} (MIT)`,
    )
    expect(await readFile(join(folder, 'node_modules/gatehouse-iam/dist/console/licences.md'), 'utf8')).toContain(
      `react - ${packageJson.devDependencies.react} (MIT)`,
    )
  })

  it('has nothing for npm to run when it is installed', async () => {
    const { scripts } = JSON.parse(await readFile(join(folder, 'node_modules/gatehouse-iam/package.json'), 'utf8'))
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name)
  })

  it('contains each file that its documents link to', async () => {
    const root = join(folder, 'node_modules/gatehouse-iam')
    const documents = (await readdir(root, { recursive: true })).filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file))
    expect(documents).toContain('docs/operations.md')
    for (const document of documents) {
      const links = [...(await readFile(join(root, document), 'utf8')).matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = '']) => link)
      expect([document, links.filter((link) => !existsSync(join(root, dirname(document), link)))]).toEqual([document, []])
    }
  })

  const startsOn = async (node: string) => {
    const home = await mkdtemp(join(tmpdir(), 'gatehouse-home-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const bin = join(folder, 'node_modules/.bin/gatehouse')
    const path = { PATH: [dirname(node), process.env.PATH].join(delimiter) }

    for (const isFirst of [true, false]) {
      const service = await ServiceProcess.start(path, { command: [bin, 'serve'], folder: home })
      onTestFinished(() => service.end('SIGKILL').then(() => {}))
      await service.ready()
      if (isFirst) {
        const [, email = '', password = ''] = await service.printed(/sign in as (\S+) with the password (\S+)/)
        const [, address = ''] = await service.printed(/Console: (\S+)/)
        await expectConsole(service.origin, new URL(address).pathname, { email, password })
      }

      const page = await service.anonymous.get('/login')
      expect(page).toMatchObject({ status: 200, body: expect.stringContaining('type="password"') })
      const [stylesheet] = /\/[^"]+\.css[^"]*/.exec(page.body) ?? []
      expect((await service.anonymous.get(stylesheet as string)).body).toContain('prefers-color-scheme')
      const described = JSON.parse(await readFile('docs/openapi.json', 'utf8'))
      expect(Object.keys((await service.anonymous.get('/openapi.json')).body.paths)).toEqual(Object.keys(described.paths))
      expect((await service.anonymous.get('/docs/')).body).toContain('swagger-ui')
      expect(await service.anonymous.get('/metrics')).toMatchObject({ status: 200 })
      expect((await service.anonymous.get('/healthz')).body).toMatchObject({ version: packageJson.version })
      expect(await service.end()).toBe(0)
    }
    expect(await readdir(home)).toEqual(['data'])
    expect(await readdir(join(home, 'data'))).toEqual(expect.arrayContaining(['database', 'secret-key']))
  }

  it('starts in an empty folder, with all files that it reads', () => startsOn(process.execPath))

  it('starts on Node 22 as well', needs('node-22', isInstalled), () => startsOn(node22))
})
