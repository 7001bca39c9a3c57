import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../support/needs.ts'

const run = promisify(execFile)

/** What an application that uses the package has installed besides. */
const neighbours = ['jose', 'express', 'fastify', 'hono', '@types/express', '@types/node']
const kilobytesMax = 6
const node22 = resolve('tools/node-22/node_modules/.bin/node')

describe('@gatehouse-iam/api, as it is published', () => {
  let folder: string
  let installed: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: 'packages/api' })
    const [{ filename }] = JSON.parse(stdout)
    installed = join(folder, 'node_modules/@gatehouse-iam/api')
    await mkdir(installed, { recursive: true })
    await run('tar', ['xzf', join(folder, filename), '--strip-components', '1', '-C', installed])
    await mkdir(join(folder, 'node_modules/@types'))
    for (const name of neighbours) await symlink(resolve('node_modules', name), join(folder, 'node_modules', name))
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has types with which the code of its README compiles, strictly', async () => {
    const readme = await readFile(join(installed, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)
    expect(blocks).toHaveLength(3)
    await Promise.all(blocks.map((code, index) => writeFile(join(folder, `readme-${index}.ts`), code)))
    const compilerOptions = { strict: true, skipLibCheck: false, module: 'nodenext', target: 'es2023', noEmit: true, types: ['node'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['readme-*.ts'] }))
    const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })

  it.for([
    ['24', process.execPath],
    ['22', node22],
  ] as const)('runs on Node %s', needs('node-22', existsSync(node22)), async ([, node]) => {
    const script = `
      import { createVerifier } from '@gatehouse-iam/api'
      const refused = await createVerifier({ issuer: 'http://localhost:3000', audience: 'api' }).verify({ headers: {} }).catch((error) => error)
      console.log(refused.status, refused.headers.get('www-authenticate'))`
    await writeFile(join(folder, 'script.mjs'), script)
    const { stdout } = await run(node, [join(folder, 'script.mjs')])
    expect(stdout).toBe('401 Bearer\n')
  })

  it(`is at most ${kilobytesMax} kB of its own, minified and compressed`, async () => {
    const bundle = await rolldown({ input: join(installed, 'dist/index.js'), external: ['jose'] })
    const { output } = await bundle.generate({ minify: true })
    expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(kilobytesMax * 1_000)
  })
})
