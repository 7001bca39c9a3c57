import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** What runs in the browser on the account pages. */
export const accountScript = readFileSync(new URL('./browser/account.js', import.meta.url), 'utf8')

/** Changes with the script, so that browsers may keep it for ever. */
export const accountScriptPath = `/assets/account-${createHash('sha256').update(accountScript).digest('hex').slice(0, 12)}.js`
