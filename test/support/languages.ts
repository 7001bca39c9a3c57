import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'

export const run = promisify(execFile)

/** Whether the documents' code in a language can be run here. `.ci/run` requires it, so that CI skips no language. */
async function isInstalled(command: string, ...version: string[]): Promise<boolean> {
  const found = await run(command, version).then(
    () => true,
    () => false,
  )
  if (!found && process.env.REQUIRE_LANGUAGES) throw new Error(`REQUIRE_LANGUAGES is set and there is no ${command}`)
  return found
}

export const hasPython = await isInstalled('python3', '--version')
/** A package for Python that the code of the console's wizard imports: not a language, so that it may be missing in CI. */
export const hasAuthlib = await run('python3', ['-c', 'import authlib, flask, requests']).then(
  () => true,
  () => false,
)
export const hasGo = await isInstalled('go', 'version')

/** The first code block in a language in the text of a document. */
export const codeIn = (document: string, language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? ''
