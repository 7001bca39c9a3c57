import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { needs } from './needs.ts'

export const run = promisify(execFile)

/** Whether the documents' code in a language can be run here. */
const succeeds = (command: string, ...words: string[]): Promise<boolean> =>
  run(command, words).then(
    () => true,
    () => false,
  )

export const needsPython = needs('python3', await succeeds('python3', '--version'))
const hasAuthlib = (python: string) => succeeds(python, '-c', 'import authlib, flask, requests')
/** The Python with the packages that the code of the console's wizard imports: the first of the path, or the system's own. */
export const pythonWithAuthlib = (await hasAuthlib('python3')) ? 'python3' : '/usr/bin/python3'
export const needsAuthlib = needs('authlib', await hasAuthlib(pythonWithAuthlib))
export const needsGo = needs('go', await succeeds('go', 'version'))

/** The first code block in a language in the text of a document. */
export const codeIn = (document: string, language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? ''
