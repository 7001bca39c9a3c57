import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { needs } from './needs.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

const hasCommit = (commit: string) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: checkout, stdio: 'ignore' }).status === 0

/** Of a test that starts the release of a commit: a shallow clone, or a folder without `.git`, does not have it. */
export const needsHistory = (commit: string) => needs('history', hasCommit(commit))

/**
 * The sources of an earlier commit, which Node runs as they are, on the packages of this checkout. They stay between two runs.
 *
 * @returns the program and its folder, for `ServiceProcess.start`
 */
export function formerRelease(commit: string): { command: readonly [string, ...string[]]; folder: string } {
  // Not where the tests write, which goes with the run.
  const temporary = process.platform === 'win32' ? tmpdir() : '/tmp'
  const ofCheckout = join(temporary, `gatehouse-former-${createHash('sha256').update(checkout).digest('hex').slice(0, 12)}`)
  const folder = join(ofCheckout, commit)
  if (!existsSync(folder)) {
    const unpacked = `${folder}-${process.pid}`
    mkdirSync(unpacked, { recursive: true })
    const archive = execFileSync('git', ['archive', commit, 'src', 'package.json', 'docs/openapi.json'], {
      cwd: checkout,
      maxBuffer: 2 ** 28,
    })
    execFileSync('tar', ['-x', '-C', unpacked], { input: archive })
    symlinkSync(join(checkout, 'node_modules'), join(unpacked, 'node_modules'), 'junction')
    try {
      renameSync(unpacked, folder)
    } catch (error) {
      // Another run was faster.
      rmSync(unpacked, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  const main = ['src/cli/gatehouse.ts', 'src/start.js'].find((file) => existsSync(join(folder, file))) as string
  return { command: [process.execPath, main, ...(main === 'src/start.js' ? [] : ['serve'])], folder }
}
