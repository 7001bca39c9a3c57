/**
 * What a failover costs: `deploy/high-availability` on this machine, under sign-ins, refreshes, code exchanges, changes by an administrator
 * and webhooks, with and without synchronous mode. The primary ends by SIGKILL, is cut off, and is switched over by hand:
 * `npm run bench:failover -- --times 10`. It writes the table of docs/high-availability.md with `--write`. Linux, as root, with the packages
 * that deploy/high-availability/start.sh names.
 *
 * `--only killed,hanging` chooses the ends: `hanging` stops all processes of the primary by SIGSTOP, where there are no network namespaces.
 * `--modes off` measures without synchronous mode only.
 */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { parseArgs } from 'node:util'
import buildService from '../test/support/built-service.ts'
import { type End, type Failover, FailoverRun } from '../test/support/failover.ts'
import { hasNetworks, hasPatroni } from '../test/support/high-availability.ts'

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '10' },
    modes: { type: 'string', default: 'on,off' },
    only: { type: 'string', default: hasNetworks ? 'killed,cut off,switched over' : 'killed,hanging,switched over' },
    write: { type: 'boolean', default: false },
  },
})
const times = Number(options.times)
const ends = options.only.split(',') as End[]
if (!hasPatroni) throw new Error('It needs patroni, etcd-server, haproxy, redis-server and postgresql: apt install them')
await buildService()

const rows: { mode: string; results: Failover[] }[] = []
const between = (values: number[], digits = 1) => {
  const [least, most] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)]
  return least === most ? least : `${least} to ${most}`
}
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0).toLocaleString('en')
const head = [
  '| the primary is | synchronous mode | failovers | requests | of which failed | failed otherwise than by 503 | failing for, s | a replica has taken over after, s | served again after that, s | confirmed writes lost | tokens or codes that worked twice | webhooks lost |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
]
const measured = () =>
  rows
    .filter(({ results }) => results.length > 0)
    .map(({ mode, results }) =>
      [
        '',
        results[0]?.end,
        mode,
        results.length,
        total(results.map(({ requests }) => requests)),
        total(results.map(({ unavailable, otherFailures }) => unavailable + otherFailures.length)),
        total(results.map(({ otherFailures }) => otherFailures.length)),
        between(results.map(({ failedSeconds }) => failedSeconds)),
        between(results.map(({ takeOverSeconds }) => takeOverSeconds)),
        between(results.map(({ untilServedSeconds }) => untilServedSeconds)),
        total(results.map(({ lostWrites }) => lostWrites.length)),
        total(results.map(({ usedTwice }) => usedTwice)),
        total(results.map(({ lostWebhooks }) => lostWebhooks)),
        '',
      ]
        .join(' | ')
        .trim(),
    )
/** How the primary ended, and the mode. */
const subjectOf = (row: string) => row.split('|').slice(1, 3).join()

/**
 * After each failover, so that a run that is ended early has written what it measured. Rows of what this run does not measure stay as
 * an earlier run wrote them.
 */
async function writeTable(): Promise<void> {
  if (!options.write) return
  const file = 'docs/high-availability.md'
  const text = await readFile(file, 'utf8')
  const replaced = text.replace(/(?<=<!-- bench:failover -->\n)[\s\S]*?(?=<!-- \/bench:failover -->)/, (former) => {
    const own = measured()
    const subjects = new Set(own.map(subjectOf))
    const others = former.split('\n').filter((row) => /^\| [a-z]+.* \| (?:on|off) \|/.test(row) && !subjects.has(subjectOf(row)))
    // With synchronous mode first.
    const all = [...others, ...own].toSorted((left, right) => Number(left.includes('| off |')) - Number(right.includes('| off |')))
    return `\n${[...head, ...all].join('\n')}\n\n`
  })
  await writeFile(file, replaced)
}

for (const mode of options.modes.split(',')) {
  const run = await FailoverRun.start({ isSynchronous: mode === 'on' })
  try {
    const results = ends.map((): Failover[] => [])
    rows.push(...results.map((results) => ({ mode, results })))
    for (let time = 0; time < times; time++)
      for (const [index, end] of ends.entries()) {
        const result = await run.end(end)
        results[index]?.push(result)
        const { lostWrites, otherFailures } = result
        process.stdout.write(
          `${JSON.stringify({ mode, ...result, lostWrites: lostWrites.slice(0, 5), lost: lostWrites.length, otherFailures: otherFailures.slice(0, 5) })}\n`,
        )
        await writeTable()
      }
  } finally {
    await run.stop()
  }
}

process.stdout.write(`\n${[...head, ...measured()].join('\n')}\n`)
// Connections of the load may still be open.
process.exit()
