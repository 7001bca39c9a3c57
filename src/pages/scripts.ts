import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What runs in the browser on some pages. */
export interface Script {
  readonly content: string
  /** Changes with the script, so that browsers may keep it for ever. */
  readonly path: string
}

export const accountScript = read('account')
export const passkeyScript = read('passkeys')

function read(name: string): Script {
  const content = readFileSync(new URL(`./browser/${name}.js`, import.meta.url), 'utf8')
  return { content, path: `/assets/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.js` }
}
