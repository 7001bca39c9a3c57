import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { databaseKind } from '../support/database.ts'

const run = promisify(execFile)

/** A checkout of its own, with the packages of this one. */
async function aCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-checkout-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const path of ['src', 'tools/build.js', 'tools/bundle.js', 'package.json', 'package-lock.json']) {
    await cp(path, join(folder, path), { recursive: true })
  }
  const packages = join(folder, 'node_modules')
  await symlink(join(process.cwd(), 'node_modules'), packages)
  return {
    build: () => run(process.execPath, ['tools/build.js', '--if-stale'], { cwd: folder }),
    /** Another one after each build. */
    output: async () => (await stat(join(folder, 'dist'))).ino,
    /** The only file with this ending. */
    source: (ending: string) => join(folder, globSync(`src/**/*${ending}`, { cwd: folder })[0] as string),
    removePackages: () => rm(packages),
    leftovers: async () => (await readdir(folder)).filter((name) => name.startsWith('.dist-')),
    built: (name: string) => readFile(join(folder, 'dist', name), 'utf8'),
  }
}

describe.runIf(databaseKind() === 'pglite')('the build before a start', () => {
  it('runs when the content of a source differs, and only then', { timeout: 60_000 }, async () => {
    const checkout = await aCheckout()
    await checkout.build()
    const first = await checkout.output()

    await utimes(checkout.source('/pages.css'), new Date(), new Date())
    await appendFile(checkout.source('.test.ts'), '// tests are not in it')
    await checkout.build()
    expect(await checkout.output()).toBe(first)

    await appendFile(checkout.source('/pages.css'), '.changed { color: red }')
    await checkout.build()
    expect(await checkout.output()).not.toBe(first)
    expect(await checkout.built('pages.css')).toContain('.changed')
  })

  it('may run several times at once: each finds a complete build in place', { timeout: 120_000 }, async () => {
    const checkout = await aCheckout()
    await Promise.all(Array.from({ length: 4 }, () => checkout.build()))
    expect(await checkout.built('built-from')).toMatch(/^[0-9a-f]{64}$/)
    expect(await checkout.leftovers()).toEqual([])
  })

  it('is not needed when one exists, and otherwise names what is missing', { timeout: 60_000 }, async () => {
    const checkout = await aCheckout()
    await checkout.build()
    await checkout.removePackages()
    expect(await checkout.build()).toEqual({ stdout: '', stderr: '' })

    await appendFile(checkout.source('/pages.css'), '.changed { color: red }')
    await expect(checkout.build()).rejects.toMatchObject({
      code: 1,
      stderr: 'The sources have changed since dist/ was built, and what builds it is not installed: run `npm ci`, without --omit=dev\n',
    })
    expect(await checkout.built('pages.css')).not.toContain('.changed')
  })
})
