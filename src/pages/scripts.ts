import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A script that some pages run in the browser. */
export interface Script {
  readonly content: string
  /** The path changes with the script, so that browsers may cache it for ever. */
  readonly path: string
}

// The build finds these addresses in the code, so they have to be literals.
export const accountScript = read('account', new URL('./browser/account.js', import.meta.url))
export const setupScript = read('setup', new URL('./browser/setup.js', import.meta.url))
export const passkeyScript = read('passkeys', new URL('./browser/passkeys.js', import.meta.url))

function read(name: string, file: URL): Script {
  const content = readFileSync(file, 'utf8')
  return { content, path: `/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.js` }
}
