import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openFilter } from './breached-filter.ts'
import { importBreachedPasswords } from './import-breached-passwords.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
afterAll(() => rm(folder, { recursive: true }))
const [source, target] = [join(folder, 'list.txt'), join(folder, 'list.filter')]

const hashOf = (password: string) => createHash('sha1').update(password).digest()
const lineOf = (password: string, count: number) => `${hashOf(password).toString('hex').toUpperCase()}:${count}`
const has = async (...passwords: string[]) => {
  const file = await openFilter(target)
  const found = await Promise.all(passwords.map((password) => file.has(hashOf(password))))
  await file.close()
  return found
}

describe('the import of breached passwords', () => {
  it.each([
    ['as it is published', '\r\n', true],
    ['with other ends of lines', '\n', true],
    ['without an end of its last line', '\r\n', false],
    ['with empty lines', '\n\n\n', true],
  ])('reads a list %s, and leaves out what was seen too seldom', async (_, lineEnd, ends) => {
    const lines = [lineOf('common', 12_345_678), lineOf('known', 10), lineOf('rare', 9)]
    await writeFile(source, lines.join(lineEnd) + (ends ? lineEnd : ''))

    const made = await importBreachedPasswords({ source, target, minCount: 10 })

    expect(made).toEqual({ passwords: 2, minCount: 10, bytes: 8_192 })
    expect(await has('common', 'known', 'rare', 'other')).toEqual([true, true, false, false])
  })

  it('reads a list in any order and in both cases, across the parts that it reads at a time', async () => {
    const passwords = Array.from({ length: 60_000 }, (_, index) => `password ${index}`)
    await writeFile(
      source,
      passwords.map((password, index) => (index % 2 ? lineOf(password, 1) : lineOf(password, 1).toLowerCase())).join('\n'),
    )

    expect(await importBreachedPasswords({ source, target, minCount: 1 })).toMatchObject({ passwords: passwords.length })

    expect(new Set(await has(...passwords.slice(0, 2_000), ...passwords.slice(-2_000)))).toEqual(new Set([true]))
  })

  it.each([
    ['a password', 'PASSWORD'],
    ['a hash of another kind', `${'A'.repeat(32)}:5`],
    ['no count', `${'A'.repeat(40)}`],
    ['an empty count', `${'A'.repeat(40)}:`],
    ['a count in words', `${'A'.repeat(40)}:five`],
    ['something after the count', `${'A'.repeat(40)}:5 `],
    ['a digit that is none', `${'G'.repeat(40)}:5`],
  ])('refuses a line with %s, and leaves the former file alone', async (_, line) => {
    await writeFile(source, lineOf('former', 5))
    await importBreachedPasswords({ source, target, minCount: 1 })
    await writeFile(source, [lineOf('first', 5), line, lineOf('last', 5)].join('\n'))

    await expect(importBreachedPasswords({ source, target, minCount: 1 })).rejects.toThrow(`Line 2 of ${source} is not a SHA-1 in hex`)
    expect(await has('former', 'first')).toEqual([true, false])
  })

  it('is a command', async () => {
    await writeFile(source, [lineOf('common', 12), lineOf('rare', 1)].join('\n'))
    const command = (...parameters: string[]) => run(process.execPath, ['tools/import-breached-passwords.ts', ...parameters])

    const { stdout } = await command(source, '--min-count', '10', '--out', target)
    expect(stdout).toBe(`1 passwords, 0.0 MiB: start the service with BREACHED_PASSWORDS=file:${target}\n`)
    expect(await has('common', 'rare')).toEqual([true, false])
    await expect(command(source)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('npm run passwords:import') })
  })
})
