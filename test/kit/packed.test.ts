import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { needs } from '../support/needs.ts'

const run = promisify(execFile)

const node22 = resolve('tools/node-22/node_modules/.bin/node')

/** Other runtimes, where they are installed: npm brings each with 100 MB. */
const [bun, deno] = ['bun', 'deno'].map((name) => {
  const folder = (process.env.PATH ?? '').split(delimiter).find((one) => existsSync(join(one, name)))
  return folder && join(folder, name)
})

interface Published {
  /** What an application that uses the package has installed besides. */
  neighbours: readonly string[]
  /** How many examples its README and its page in the documents have. */
  examples: number
  /** A program that uses it, and what that prints. */
  script: string
  prints: string
  /** The most of its own code, minified and compressed. */
  kilobytesMax: number
}

const published: Readonly<Record<string, Published>> = {
  api: {
    neighbours: ['jose', 'express', 'fastify', 'hono', '@types/express', '@types/node'],
    examples: 5,
    script: `
      import { createVerifier } from '@gatehouse-iam/api'
      const refused = await createVerifier({ issuer: 'http://localhost:3000', audience: 'api' }).verify({ headers: {} }).catch((error) => error)
      console.log(refused.status, refused.headers.get('www-authenticate'))`,
    prints: '401 Bearer\n',
    kilobytesMax: 6,
  },
  client: {
    neighbours: ['openapi-fetch', 'openapi-typescript-helpers', '@types/node'],
    examples: 6,
    script: `
      import { createClient } from '@gatehouse-iam/client'
      const fetch = async (request) => Response.json({ data: [{ id: request.headers.get('authorization') }], total: 1 })
      for await (const user of createClient({ url: 'http://localhost:3000', apiKey: 'ak_1', fetch }).users.list()) console.log(user.id)`,
    prints: 'Bearer ak_1\n',
    kilobytesMax: 8,
  },
  testing: {
    neighbours: ['@types/node'],
    examples: 1,
    script: `
      import { startGatehouse } from '@gatehouse-iam/testing'
      const command = [${JSON.stringify(process.execPath)}, ${JSON.stringify(builtService)}]
      const refused = await startGatehouse({ command, env: { NODE_ENV: 'production' } }).catch((error) => error)
      console.log(refused.name, refused.code)`,
    prints: 'TestingRefused not-started\n',
    kilobytesMax: 6,
  },
  web: {
    neighbours: ['jose', 'oauth4webapi', 'openid-client', 'express', 'pg', 'undici', '@types/express', '@types/node', '@types/pg'],
    examples: 4,
    script: `
      import { createWeb } from '@gatehouse-iam/web'
      const options = { issuer: 'http://localhost:3000', clientId: 'cli', clientSecret: 's', redirectUri: 'https://app.test/auth/callback' }
      const web = createWeb({ ...options, cookieSecret: 'a secret of thirty-two characters' })
      const { response } = await web.require(new Request('https://app.test/orders'))
      console.log(response.status, response.headers.get('location'))`,
    prints: '302 https://app.test/auth/login?returnTo=%2Forders\n',
    kilobytesMax: 12,
  },
}

describe.each(Object.entries(published))(
  '@gatehouse-iam/%s, as it is published',
  (name, { neighbours, examples, script, prints, kilobytesMax }) => {
    let folder: string
    let installed: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gatehouse-packed-'))
      const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: `packages/${name}` })
      const [{ filename }] = JSON.parse(stdout)
      installed = join(folder, `node_modules/@gatehouse-iam/${name}`)
      await mkdir(installed, { recursive: true })
      await run('tar', ['xzf', join(folder, filename), '--strip-components', '1', '-C', installed])
      await mkdir(join(folder, 'node_modules/@types'))
      for (const one of neighbours) await symlink(resolve('node_modules', one), join(folder, 'node_modules', one))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    it('has types with which the code of its README and its page compiles, strictly', async () => {
      const readme = await readFile(join(installed, 'README.md'), 'utf8')
      const page = await readFile(`docs/kit/${name}.md`, 'utf8').catch(() => '')
      const blocks = [...`${readme}\n${page}`.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string)
      expect(blocks).toHaveLength(examples)
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
      await writeFile(join(folder, 'script.mjs'), script)
      const { stdout } = await run(node, [join(folder, 'script.mjs')])
      expect(stdout).toBe(prints)
    })

    // The package for tests starts processes, as programs of Node do.
    if (name !== 'testing') {
      it('runs on Bun', needs('bun', bun !== undefined), async () => {
        await writeFile(join(folder, 'script.mjs'), script)
        const { stdout } = await run(bun ?? '', ['run', join(folder, 'script.mjs')], { cwd: folder })
        expect(stdout).toBe(prints)
      })

      it('runs on Deno', needs('deno', deno !== undefined), async () => {
        await writeFile(join(folder, 'script.mjs'), script)
        const words = ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock', join(folder, 'script.mjs')]
        const { stdout } = await run(deno ?? '', words, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
        expect(stdout).toBe(prints)
      })
    }

    it(`is at most ${kilobytesMax} kB of its own, minified and compressed`, async () => {
      const external = ['jose', 'openapi-fetch', 'openid-client']
      const bundle = await rolldown({ input: join(installed, 'dist/index.js'), external, platform: 'node' })
      const { output } = await bundle.generate({ minify: true })
      expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(kilobytesMax * 1_000)
    })
  },
)
