/**
 * Ends a test run with a summary: the number of tests, the skipped ones with the reasons, and the slowest files. It fails a run in CI in
 * which a required test was skipped, and any complete run in which tests are missing that test/count.json counts.
 *
 * `npm run test:profile` makes it print the time of each file.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { filesToRecord, isCovered, onServerAlone, partOfFile, testsElsewhere } from '../test/one-database.ts'
import type { Expense } from '../test/support/profile.ts'
import { isByTask } from '../test/support/sent-statements.ts'
import type { SeenFile } from './test-databases.ts'

const expenses: readonly Expense[] = ['database', 'service', 'process', 'command', 'browser', 'teardown']

/** What CI may lack: no package of npm or Debian contains it, or the machine must allow it. */
const mayLack = new Set(['otelcol-contrib', 'mounting a disk', 'network namespaces', 'an address besides loopback'])

/** The milliseconds that a service of its own costs a file on the embedded database, beyond its time on PostgreSQL. */
const embeddedStart = 1_000

/** Creates a line of the record from which `npm run test:databases` works. */
function seenOf(module: TestModule, at: number): SeenFile {
  const tests = [...module.children.allTests()].map((test) => ({
    name: test.fullName,
    milliseconds: test.diagnostic()?.duration ?? 0,
    statements: test.meta().statements ?? [],
  }))
  const { duration } = module.diagnostic()
  const services = module.meta().profile?.expenses.service?.times ?? 0
  return {
    file: module.relativeModuleId,
    at,
    passed: module.ok(),
    areConcurrent: [...module.children.allTests()].some(({ options }) => options.concurrent),
    statements: module.meta().statements ?? [],
    milliseconds: Math.max(0, duration - tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0)) + services * embeddedStart,
    tests,
  }
}

interface FileRow {
  name: string
  tests: number
  /** The wall-clock time in milliseconds. */
  wall: number
  load: number
  threadCpu: number
  expenses: number[]
}

function rowOf(module: TestModule): FileRow {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  const { profile } = module.meta()
  return {
    name: `${module.project.name} ${module.relativeModuleId}`,
    tests: [...module.children.allTests()].length,
    wall: collectDuration + setupDuration + duration,
    load: collectDuration + setupDuration,
    threadCpu: profile?.threadCpuMilliseconds ?? 0,
    expenses: expenses.map((expense) => profile?.expenses[expense]?.milliseconds ?? 0),
  }
}

function sumOf(name: string, rows: readonly FileRow[]): FileRow {
  const sum = (of: (row: FileRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    name: `in all: ${name}`,
    tests: sum(({ tests }) => tests),
    wall: sum(({ wall }) => wall),
    load: sum(({ load }) => load),
    threadCpu: sum(({ threadCpu }) => threadCpu),
    expenses: expenses.map((_, index) => sum((row) => row.expenses[index] ?? 0)),
  }
}

const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1).padStart(9)
const profileLine = ({ name, tests, wall, load, threadCpu, expenses }: FileRow) =>
  `${[wall, load, threadCpu, ...expenses].map(seconds).join('')}${String(tests).padStart(7)}  ${name}\n`

/** The time of each file, longest first, and the totals of the projects. */
function profileOf(modules: readonly TestModule[]): string {
  const rows = modules.map((module) => ({ project: module.project.name, row: rowOf(module) })).sort((a, b) => b.row.wall - a.row.wall)
  const heads = ['wall', 'load', 'thread', ...expenses].map((head) => head.padStart(9)).join('')
  const projects = [...new Set(rows.map(({ project }) => project))]
  const sums = projects.map((name) =>
    sumOf(
      name,
      rows.filter(({ project }) => project === name).map(({ row }) => row),
    ),
  )
  return [
    'Seconds of each file: in all, to load it, processor time of its thread, and waiting for …\n',
    `${heads}  tests\n`,
    ...[...rows.map(({ row }) => row), ...sums].map(profileLine),
  ].join('')
}

/** The identity of a test, which is the same in every project that runs it. */
const identityOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`

interface Skipped {
  reason: string
  /** Whether the test must run in CI. */
  isRequired: boolean
}

/** Returns why a test was skipped. @param ran the identities of the tests that ran in any project */
function skippedOf(test: TestCase, ran: ReadonlySet<string>): Skipped {
  // Check this first: a test of one database may need a further program, and lacks none where it ran.
  if (ran.has(identityOf(test))) return { reason: 'runs on the other database', isRequired: false }
  const { needs } = test.meta()
  if (needs) return { reason: `needs ${needs}`, isRequired: !mayLack.has(needs) }
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return { reason: note ?? 'without a reason', isRequired: true }
}

const isSkipped = (test: TestCase) => test.result().state === 'skipped'

export default class TestReport implements Reporter {
  #vitest: Vitest | undefined
  #start = 0
  /** The start of the run, in milliseconds since 1970. */
  #startedAt = 0
  /** Whether no words of the command line leave out files or tests. */
  #isWhole = false

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunStart(specifications: readonly TestSpecification[]): Promise<void> {
    this.#start = performance.now()
    this.#startedAt = Date.now()
    const { projects = [], config } = this.#vitest ?? {}
    const files = await Promise.all(projects.map((project) => project.globTestFiles()))
    const areAllThere = ['rules', 'pglite', 'postgres'].every((name) => projects.some((project) => project.name === name))
    this.#isWhole = areAllThere && !config?.testNamePattern && specifications.length === files.flatMap(({ testFiles }) => testFiles).length
  }

  onTestModuleEnd(module: TestModule): void {
    const { RECORD_STATEMENTS: file } = process.env
    if (file) appendFileSync(file, `${JSON.stringify(seenOf(module, this.#startedAt))}\n`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    if (process.env.TEST_PROFILE) process.stdout.write(profileOf(modules))
    const slowest = modules.map(rowOf).sort((a, b) => b.wall - a.wall)
    process.stdout.write('\nThe slowest files, in seconds:\n')
    for (const { name, wall } of slowest.slice(0, 10)) process.stdout.write(`${seconds(wall)}  ${name}\n`)

    if (!this.#vitest?.config.testNamePattern) this.#reportSkipped(tests)
    if (this.#isWhole) {
      this.#reportUnrecorded(modules)
      this.#compareCounts(tests)
      this.#compareStatements(modules)
    }
    process.stdout.write(`${tests.length} tests in ${((performance.now() - this.#start) / 60_000).toFixed(1)} minutes\n`)
  }

  #reportSkipped(tests: readonly TestCase[]): void {
    const ran = new Set(tests.filter((test) => !isSkipped(test)).map(identityOf))
    const notLacked = ', which it must not lack in CI'
    const skipped = Map.groupBy(tests.filter(isSkipped), (test) => {
      const { reason, isRequired } = skippedOf(test, ran)
      return `${reason}${isRequired ? notLacked : ''}`
    })
    for (const [reason, some] of skipped) {
      process.stdout.write(`Skipped ${some.length}: ${reason}\n`)
      const isWorthNaming = !reason.startsWith('runs on the other') || reason.endsWith(notLacked)
      if (isWorthNaming) for (const test of some) process.stdout.write(`  ${test.project.name} ${identityOf(test)}\n`)
    }
    if (this.#isWhole) process.stdout.write(`Not collected ${testsElsewhere}: all of their files runs on the other database\n`)
    if (this.#isWhole && process.env.CI && tests.some((test) => isSkipped(test) && skippedOf(test, ran).isRequired)) {
      this.#fail('In CI, a test may be skipped only for what tools/test-report.ts says that it may lack')
    }
  }

  /** Says what an old record costs: a file that it does not know, or that has lost one of its tests, runs whole on the embedded database. */
  #reportUnrecorded(modules: readonly TestModule[]): void {
    const files = new Set(filesToRecord())
    const whole = modules.filter(({ project, relativeModuleId: file, children }) => {
      if (project.name !== 'pglite' || !files.has(file)) return false
      return (
        partOfFile(
          file,
          [...children.allTests()].map(({ fullName }) => fullName),
        ) === undefined
      )
    })
    const spent = whole.reduce((sum, module) => sum + rowOf(module).wall, 0)
    if (whole.length > 0)
      process.stdout.write(
        `Whole on the embedded database for want of a record: ${whole.length} files, ${seconds(spent).trim()} s. npm run test:databases -- test/ records them\n`,
      )
  }

  /** Compares the counts: a test that is lost by accident would otherwise never be noticed. */
  #compareCounts(tests: readonly TestCase[]): void {
    const counted: Record<string, number> = JSON.parse(readFileSync(new URL('../test/count.json', import.meta.url), 'utf8'))
    const present = Map.groupBy(tests, (test) => test.project.name)
    for (const [project, count] of Object.entries(counted)) {
      const now = (present.get(project)?.length ?? 0) + (project === 'pglite' ? testsElsewhere : 0)
      if (now < count) this.#fail(`${project} has ${now} tests, and had ${count}: change test/count.json, and say why in the commit`)
      else if (now > count) process.stdout.write(`${project} has ${now} tests: test/count.json still says ${count}\n`)
    }
  }

  /** Compares the statements: only a test on the embedded database can show that a statement works there. */
  #compareStatements(modules: readonly TestModule[]): void {
    const sentTo = (project: string, of: (file: string) => boolean) =>
      new Set(
        modules
          .filter((module) => module.project.name === project && of(module.relativeModuleId))
          .flatMap((module) => module.meta().statements ?? []),
      )
    const missing = [...sentTo('postgres', isCovered).difference(sentTo('pglite', () => true))].filter(
      (text) => !isByTask(text) && !onServerAlone.some((pattern) => pattern.test(text)),
    )
    for (const statement of missing) process.stderr.write(`The embedded database was never sent: ${statement}\n`)
    if (missing.length > 0) this.#fail('Each statement runs on both databases: npm run test:databases chooses the tests that send them all')
  }

  #fail(why: string): void {
    process.stderr.write(`${why}\n`)
    process.exitCode = 1
  }
}
