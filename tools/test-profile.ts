/**
 * `npm run test:profile`: runs the tests as `npm test` does and reports where their time goes, per file and in total. Words after `--` are
 * passed on to vitest: `npm run test:profile -- --project pglite test/admin`.
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import process from 'node:process'

/** The processor time of the whole machine, so that databases and browsers count, too. Run it when no other work runs. */
const busySeconds = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000

const given = process.argv.slice(2)
const projects = given.includes('--project') ? [] : ['--project', '!screenshots']
const [start, busyAtStart] = [performance.now(), busySeconds()]
const { status } = spawnSync('vitest', ['run', ...projects, ...given], { stdio: 'inherit', env: { ...process.env, TEST_PROFILE: '1' } })
const seconds = (performance.now() - start) / 1_000
const busy = busySeconds() - busyAtStart
process.stdout.write(
  `In all ${seconds.toFixed(0)} s; processors ${busy.toFixed(0)} s, of ${cpus().length} on average ${(busy / seconds).toFixed(2)}\n`,
)
process.exitCode = status ?? 1
