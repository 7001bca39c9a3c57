import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importBreachedPasswords } from '../../src/passwords/import-breached-passwords.ts'
import type { Hook } from './receiver.ts'

/** The SHA-1 of a password as the published list has it. */
export const sha1Of = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

/** Has an address respond as Have I Been Pwned does, with its padding, to whom looks one of these passwords up. */
export function servePasswords(folder: Hook, passwords: readonly string[]): void {
  folder.answer = ({ path }) => {
    const prefix = path.slice(-5)
    const known = passwords.map(sha1Of).filter((hash) => hash.startsWith(prefix))
    const padding = Array.from({ length: 20 }, () => `${randomBytes(18).toString('hex').toUpperCase().slice(1)}:0`)
    const lines = [...known.map((hash) => `${hash.slice(5)}:${37}`), ...padding].sort()
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: lines.join('\r\n') }
  }
}

/** A file made of these passwords, in the folder for temporary files. */
export async function breachedPasswordFile(passwords: readonly string[]): Promise<string> {
  const source = join(tmpdir(), `gatehouse-breached-${randomBytes(6).toString('hex')}.txt`)
  const target = source.replace('.txt', '.filter')
  const lines = passwords.map((password) => `${sha1Of(password)}:20`)
  await writeFile(source, `${lines.sort().join('\r\n')}\r\n`)
  await importBreachedPasswords({ source, target, minCount: 10 })
  return target
}
