import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)

/** A checkout of its own, with the packages of this one. */
async function aCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-checkout-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const tools = ['build', 'bundle', 'build-console', 'bill-of-materials'].map((name) => `tools/${name}.js`)
  const isSource = (path: string) => path !== 'console/dist'
  for (const path of ['console', 'shared', 'docs/openapi.json', 'package.json', 'package-lock.json', 'tsconfig.json', ...tools]) {
    await cp(path, join(folder, path), { recursive: true, filter: isSource })
  }
  // A small service and a small console: the whole ones are built before all tests, and take nearly all the time of a build.
  await mkdir(join(folder, 'src/cli'), { recursive: true })
  await writeFile(join(folder, 'src/cli/gatehouse.ts'), "import { pages } from './pages.ts'\nprocess.stdout.write(pages.href)\n")
  await writeFile(join(folder, 'src/cli/pages.ts'), "export const pages = new URL('./pages.css', import.meta.url)\n")
  await writeFile(join(folder, 'src/cli/pages.css'), 'main { color: black }\n')
  await writeFile(join(folder, 'src/cli/pages.test.ts'), '')
  await writeFile(join(folder, 'console/src/application.tsx'), "import './styles/base.css'\ndocument.title = 'Console'\n")
  const packages = join(folder, 'node_modules')
  const addPackages = () => symlink(join(process.cwd(), 'node_modules'), packages)
  await addPackages()
  return {
    folder,
    build: (...options: string[]) => run(process.execPath, ['tools/build.js', '--if-stale', ...options], { cwd: folder }),
    /** Another one after each build. */
    output: async () => (await stat(join(folder, 'dist'))).ino,
    /** The only file with this ending. */
    source: (ending: string) => join(folder, globSync(`src/**/*${ending}`, { cwd: folder })[0] as string),
    addPackages,
    removePackages: () => rm(packages),
    leftovers: async () => (await readdir(folder)).filter((name) => name.startsWith('.dist-')),
    built: (name: string) => readFile(join(folder, 'dist', name), 'utf8'),
  }
}

describe('what is built', () => {
  it('is ASCII: Node would keep a large module with any other character in twice the memory', async () => {
    const modules = globSync('dist/*.js')
    expect(modules.length).toBeGreaterThan(10)
    for (const file of modules) expect([file, /[^\0-\x7f]/.exec(await readFile(file, 'latin1'))]).toEqual([file, null])
  })
})

describe('the build before a start', () => {
  it('runs when the content of a source differs, and only then, and names what is missing for it', async () => {
    const checkout = await aCheckout()
    await checkout.build()
    const first = await checkout.output()

    await utimes(checkout.source('/pages.css'), new Date(), new Date())
    await appendFile(checkout.source('.test.ts'), '// tests are not in it')
    await checkout.build()
    expect(await checkout.output()).toBe(first)

    // Without its packages it says that it would build.
    await checkout.removePackages()
    expect(await checkout.build()).toEqual({ stdout: '', stderr: '' })
    for (const [source, change] of [
      [checkout.source('/pages.css'), '.changed { color: red }'],
      [join(checkout.folder, 'console/src/styles/base.css'), '\n.changed { color: red }\n'],
      [join(checkout.folder, 'docs/openapi.json'), '\n'],
      [join(checkout.folder, 'console/index.html'), '<!-- changed -->\n'],
    ] as const) {
      const intact = await readFile(source)
      await appendFile(source, change)
      await expect(checkout.build(), source).rejects.toMatchObject({
        code: 1,
        stderr: 'The sources have changed since dist/ was built, and what builds it is not installed: run `npm ci`, without --omit=dev\n',
      })
      await writeFile(source, intact)
      expect(await checkout.build()).toEqual({ stdout: '', stderr: '' })
    }
    expect(await checkout.output()).toBe(first)

    await checkout.addPackages()
    await appendFile(checkout.source('/pages.css'), '.changed { color: red }')
    await appendFile(join(checkout.folder, 'console/index.html'), '<!-- changed -->\n')
    await checkout.build()
    expect(await checkout.output()).not.toBe(first)
    expect(await checkout.built('pages.css')).toContain('.changed')
    expect(await checkout.built('console/index.html')).toContain('<!-- changed -->')
  })

  it('may run several times at once: each finds a complete build in place', async () => {
    const checkout = await aCheckout()
    await Promise.all(Array.from({ length: 3 }, () => checkout.build()))
    expect(await checkout.built('built-from')).toMatch(/^[0-9a-f]{64}$/)
    for (const { path } of JSON.parse(await checkout.built('console/files.json')))
      for (const ending of ['', '.gz', '.br']) expect((await checkout.built(`console/${path}${ending}`)).length).toBeGreaterThan(0)
    expect(await checkout.leftovers()).toEqual([])
  })

  it('continues without a console that cannot be built only where that is asked for', async () => {
    const checkout = await aCheckout()
    const entry = join(checkout.folder, 'console/src/main.ts')
    const intact = await readFile(entry, 'utf8')
    await appendFile(entry, '\nimport "./nothing.ts"\n')

    await expect(checkout.build()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('The console could not be built') })
    await expect(checkout.built('built-from')).rejects.toThrow('ENOENT')
    expect(await checkout.leftovers()).toEqual([])

    for (const _ of ['the first start', 'the next one']) {
      const { stderr } = await checkout.build('--console-optional')
      expect(stderr).toContain('./nothing.ts')
      expect(stderr).toContain('The console could not be built, for the reason above: the service has everything but /console\n')
      expect(await checkout.built('gatehouse.js')).not.toBe('')
    }

    await writeFile(entry, intact)
    expect(await checkout.build('--console-optional')).toEqual({ stdout: '', stderr: '' })
    expect(await checkout.built('console/index.html')).toContain('<div id="console">')
  })
})
