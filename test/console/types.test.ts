import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { queriesOf } from '../../console/operations-plugin.ts'
import { asOpenapiFetch } from '../../console/src/shell/call-as-code.ts'

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
      const checked = await run('node_modules/.bin/tsc', ['-p', 'console', '--pretty', 'false'], { cwd: folder }).catch((error) => error)
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

/** The code that the API drawer shows for calls, as one module. */
async function codeOf(calls: readonly [string, string, unknown?][]): Promise<string> {
  const queries = queriesOf(JSON.parse(await readFile('docs/openapi.json', 'utf8')))
  const blocks = calls.map(([method, path, requestBody]) => {
    const template = path.replace(/\?.*/, '').replace('rol_1', '{id}')
    const call = { method, path, requestBody, status: method === 'DELETE' ? 204 : 200 }
    const operation = { template, query: queries[`${method} ${template}`] ?? {} }
    return `{\n${asOpenapiFetch(call, 'https://id.example.com', operation)}\nvoid error\n}`
  })
  return [
    "import createClient from 'openapi-fetch'",
    "import type { paths } from './api/schema.d.ts'",
    '',
    'declare const process: { env: Record<string, string> }',
    '',
    `export async function called() {\n${blocks.join('\n').replaceAll('const { data, error }', 'const { error }')}\n}`,
  ].join('\n')
}

describe('the types of the console', () => {
  it('take the code of calls as the API drawer shows it, and refuse a field, an operation and a permission that the API no longer has', async () => {
    const checkout = await aCheckout()
    await checkout.add(
      'src/named.ts',
      "import type { PermissionSlug } from './api/operations.ts'\n\nexport const named: PermissionSlug = 'users:read'\n",
    )
    const calls: [string, string, unknown?][] = [
      ['GET', '/v1/admin/audit-logs?action=role.created&action=role.deleted&limit=5'],
      ['GET', '/v1/admin/users?q=12&limit=10'],
      ['PATCH', '/v1/admin/roles/rol_1', { name: 'Auditor' }],
      ['DELETE', '/v1/admin/roles/rol_1'],
    ]
    await checkout.add('src/called.ts', await codeOf(calls))
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
