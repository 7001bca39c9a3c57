import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What runs in the browser on some pages. */
export interface Script {
  readonly content: string
  /** Changes with the script, so that browsers may keep it for ever. */
  readonly path: string
}

// The build finds these addresses in the code: they have to be whole.
export const accountScript = read('account', new URL('./browser/account.js', import.meta.url))
export const passkeyScript = read('passkeys', new URL('./browser/passkeys.js', import.meta.url))

function read(name: string, file: URL): Script {
  const content = readFileSync(file, 'utf8')
  return { content, path: `/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.js` }
}
