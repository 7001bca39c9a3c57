/** The examples, each by its own test, with the packages as they are published. */
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { browserProgram } from '../support/browser-program.ts'
import { builtService } from '../support/built-service.ts'

const run = promisify(execFile)

const packages = ['api', 'client', 'testing', 'web']
const names = globSync('examples/*/package.json').map((file) => basename(dirname(file)))
const mostLines = 150

/** Has the packages installed, and below `examples` a copy of each of them. Its name is one that addresses of files encode. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse exämples-'))
  const installed = join(folder, 'node_modules')
  await mkdir(join(installed, '@gatehouse-iam'), { recursive: true })
  for (const name of packages) {
    const place = join(installed, '@gatehouse-iam', name)
    await run('tsc', ['-p', `packages/${name}`, '--outDir', join(place, 'dist')])
    await cp(`packages/${name}/package.json`, join(place, 'package.json'))
  }
  const command = join(installed, 'gatehouse-iam')
  await mkdir(command)
  await writeFile(join(command, 'package.json'), JSON.stringify({ name: 'gatehouse-iam', version: packageJson.version, type: 'module' }))
  await symlink(dirname(builtService), join(command, 'dist'))
  const others = (await readdir('node_modules')).filter((name) => !name.startsWith('.') && name !== 'gatehouse-iam')
  for (const name of others) await symlink(resolve('node_modules', name), join(installed, name))
  await cp('examples', join(folder, 'examples'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const manifestOf = async (name: string) => JSON.parse(await readFile(`examples/${name}/package.json`, 'utf8'))

describe('the examples', () => {
  it('compile, strictly', async () => {
    const compilerOptions = {
      ...{ strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: ['node'], skipLibCheck: true },
      ...{ erasableSyntaxOnly: true, allowImportingTsExtensions: true, jsx: 'react-jsx' },
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }))
    await run('tsc', ['-p', folder]).catch(({ stdout }) => {
      throw new Error(stdout)
    })
  })

  it('are all in the list, and what a guide shows of one is in it', async () => {
    const list = await readFile('examples/README.md', 'utf8')
    for (const name of names) expect(list).toContain(`](${name}/README.md)`)
    expect(await readFile('docs/mcp.md', 'utf8')).toContain(await readFile('examples/mcp-server/app.ts', 'utf8'))
  })
})

describe.each(names)('the example %s', (name) => {
  it('passes its own test', async () => {
    const { PATH, HOME, TMPDIR } = process.env
    await run(process.execPath, ['--test'], {
      cwd: join(folder, 'examples', name),
      env: { PATH, HOME, TMPDIR, CHROMIUM: browserProgram() },
    }).catch((error) => {
      throw new Error(`${error.stdout}${error.stderr}`)
    })
  })

  it('is small, needs what is in its manifest and nothing else, and says how it is started', async () => {
    const sources = globSync(`examples/${name}/*.{ts,tsx}`).filter((file) => !file.endsWith('.test.ts'))
    const texts = await Promise.all(sources.map((file) => readFile(file, 'utf8')))
    expect(texts.join('').split('\n').length).toBeLessThanOrEqual(mostLines)
    const { dependencies, devDependencies } = await manifestOf(name)
    const importsOf = (text: string) =>
      [...text.matchAll(/from '([^.'][^']*)'/g)]
        .map(([, from = '']) => (from.startsWith('@') ? from.split('/').slice(0, 2).join('/') : (from.split('/')[0] as string)))
        .filter((from) => !from.startsWith('node:'))
    expect(new Set(texts.flatMap(importsOf))).toEqual(new Set(Object.keys(dependencies)))
    const tests = await Promise.all(globSync(`examples/${name}/*.test.ts`).map((file) => readFile(file, 'utf8')))
    for (const from of tests.flatMap(importsOf)) expect(Object.keys({ ...dependencies, ...devDependencies })).toContain(from)
    // Ours move with the service.
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (/^@?gatehouse-iam/.test(dependency)) expect([dependency, version]).toEqual([dependency, packageJson.version])
    const readme = await readFile(`examples/${name}/README.md`, 'utf8')
    expect(readme).toContain('npm install && npm start')
    expect(readme.split('\n').length).toBeLessThanOrEqual(60)
  })
})
