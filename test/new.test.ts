import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)

/** A copy of the repository, in which skeletons can be written. What the last check of the types remembers of this one holds there, too. */
let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'gatehouse-new-'))
  const left = new Set(['node_modules', 'dist', '.git', 'data', 'coverage', 'screenshots'])
  cpSync('.', copy, { recursive: true, filter: (source) => !left.has(basename(source)) && !basename(source).startsWith('.dist-') })
  for (const modules of ['node_modules', ...globSync('tools/*/node_modules')])
    symlinkSync(join(process.cwd(), modules), join(copy, modules))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** A command in the copy, as in a terminal: without what a run of tests tells the processes that it starts. */
const inCopy = (command: string, words: readonly string[]) =>
  run(command, words, {
    cwd: copy,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|TEST$|npm_)/.test(name))),
      PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`,
      WITHOUT_BUILD: '1',
    },
    maxBuffer: 64 * 2 ** 20,
  }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => Promise.reject(new Error(`${error.stdout}${error.stderr}`)),
  )

const write = (...words: string[]) => inCopy(process.execPath, ['tools/new/new.ts', ...words])

describe('npm run new', () => {
  it('says what it makes, and refuses a name that it cannot use before it writes anything', async () => {
    const before = readFileSync(join(copy, 'src/platform/ids.ts'), 'utf8')

    await expect(write()).rejects.toThrow('kind cost-centre')
    await expect(write('table', 'label')).rejects.toThrow('kind cost-centre')
    await expect(write('kind', 'Label')).rejects.toThrow('"Label" is no name in lower case with hyphens')
    await expect(write('page', 'consent')).rejects.toThrow('src/pages/consent.ts exists')
    await expect(write('endpoint', 'nothing/archive')).rejects.toThrow('src/nothing/routes.ts does not exist')

    expect(readFileSync(join(copy, 'src/platform/ids.ts'), 'utf8')).toBe(before)
  })
})

describe('a kind, an endpoint, a page and a grant that npm run new writes', () => {
  beforeAll(async () => {
    const left = await write('kind', 'cost-centre')
    expect(left).toContain('src/cost-centres/routes.ts')
    expect(left).toContain('1. npm run generate')
    await write('endpoint', 'cost-centres/archive')
    await write('page', 'welcome')
    await write('grant', 'token-swap')
    await inCopy('npm', ['run', 'generate'])
  })

  it('pass npm run check', () => inCopy('npm', ['run', 'check']))

  it('pass the tests that come with them', () =>
    inCopy('vitest', [
      'run',
      '--project',
      'pglite',
      'test/admin/cost-centres.test.ts',
      'test/oauth/token-swap.test.ts',
      'test/pages/welcome.test.ts',
    ]))
})
