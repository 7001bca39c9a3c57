/** Moves the clock of the process that loads it by `--import`: by as many milliseconds as a file says, read again at each SIGUSR2. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const RealDate = Date
let offset = 0
const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env.CLOCK_OFFSET_FILE ?? '', 'utf8'))
})
