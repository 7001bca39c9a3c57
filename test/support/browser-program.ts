import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import packed from '@sparticuz/chromium'
import packageJson from '../../package.json' with { type: 'json' }

const version = packageJson.devDependencies['@sparticuz/chromium']
const folder = fileURLToPath(new URL(`../../node_modules/.cache/chromium-${version}`, import.meta.url))

/** The Chromium that comes from npm, unless the variable CHROMIUM names another browser. */
export const browserProgram = (): string => process.env.CHROMIUM || join(folder, 'chromium')

/**
 * Unpacks it once for each checkout. Its package would do it for each folder of temporary files, and take what another thread has
 * begun to write for the whole program.
 */
export async function unpackBrowser(): Promise<void> {
  if (existsSync(browserProgram())) return
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}-`)
  const { TMPDIR } = process.env
  // The package unpacks into the folder for temporary files, and nowhere else.
  process.env.TMPDIR = unfinished
  try {
    await packed.executablePath()
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another run was faster.
    if (!existsSync(browserProgram())) throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}
