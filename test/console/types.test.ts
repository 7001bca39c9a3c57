import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)

/** The console in a checkout of its own, which is checked as `npm run check` does. */
async function aCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-types-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const path of [
    'console',
    'shared',
    'docs/openapi.json',
    'tools/openapi/generate.js',
    'tools/openapi/types-of.js',
    'tools/openapi/package.json',
    'tsconfig.json',
    'package.json',
  ]) {
    await cp(path, join(folder, path), { recursive: true, filter: (source) => source !== 'console/dist' })
  }
  for (const packages of ['node_modules', 'tools/openapi/node_modules'])
    await symlink(join(process.cwd(), packages), join(folder, packages)).catch(() => {})
  // Of the last check of this checkout, so that only what differs is checked.
  await cp('.cache', join(folder, '.cache'), { recursive: true }).catch(() => {})
  const description = join(folder, 'docs/openapi.json')
  return {
    /** @returns the errors of the types, an empty text if there are none */
    async check(): Promise<string> {
      await run(process.execPath, ['tools/openapi/generate.js'], { cwd: folder })
      const checked = await run('npx', ['tsc', '-p', 'console', '--pretty', 'false'], { cwd: folder }).catch((error) => error)
      return checked.stdout
    },
    add: (path: string, text: string) => writeFile(join(folder, 'console', path), text),
    /** Changes what the API says of itself. */
    async change(text: string | RegExp, replaced: string): Promise<void> {
      const before = await readFile(description, 'utf8')
      expect(before).toMatch(text)
      await writeFile(description, before.replaceAll(text, replaced))
    },
  }
}

describe('the types of the console', () => {
  it('refuse a field, an operation and a permission that the API no longer has', async () => {
    const checkout = await aCheckout()
    await checkout.add(
      'src/named.ts',
      "import type { PermissionSlug } from './api/operations.ts'\n\nexport const named: PermissionSlug = 'users:read'\n",
    )
    expect(await checkout.check()).toBe('')
    // All three at once, as a check takes long: each is named by an error of its own.
    await checkout.change(/"lastName"/g, '"familyName"')
    await checkout.change(/"\/v1\/admin\/teams"/g, '"/v1/admin/groups"')
    await checkout.change(/"users:read"/g, '"people:read"')
    const errors = (await checkout.check()).split('\n').filter((line) => /^console\/src\/\S+\(\d+,\d+\): error TS/.test(line))
    for (const gone of ['lastName', '"/v1/admin/teams"', '"users:read"']) {
      expect([gone, errors.filter((error) => error.includes(gone))]).toEqual([gone, expect.arrayContaining([expect.any(String)])])
    }
  })
})
