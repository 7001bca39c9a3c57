/** A cheap set of tests that sends every statement that all tests send. */

export interface RecordedTests {
  /** The statements that the tests share, such as those of the start of the file's service. They run with any of the tests. */
  statements: readonly string[]
  /** Whether tests run concurrently, so that the statements of each are unknown. */
  areConcurrent: boolean
  /** The time that the file takes in addition to its tests. */
  milliseconds: number
  tests: readonly RecordedTest[]
}

interface RecordedTest {
  name: string
  milliseconds: number
  statements: readonly string[]
}

export interface Cover {
  tests: number
  /** The chosen tests, each with the number of statements that no earlier one sends. */
  onBoth: Record<string, number>
}

interface Choice {
  file: string
  names: string[]
  milliseconds: number
  statements: ReadonlySet<string>
}

/** A test sends what an earlier one of its file sent first perhaps only for what that one left behind: it counts for the first. */
const choicesOf = (file: string, { statements, areConcurrent, tests }: RecordedTests): Choice[] => {
  const choice = (of: readonly RecordedTest[]): Choice => ({
    file,
    names: of.map(({ name }) => name),
    milliseconds: of.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    statements: new Set([...statements, ...of.flatMap(({ statements }) => statements)]),
  })
  if (areConcurrent) return [choice(tests)]
  const sent = new Set<string>()
  return tests.map((test) => {
    const first = test.statements.filter((statement) => !sent.has(statement))
    for (const statement of first) sent.add(statement)
    return choice([{ ...test, statements: first }])
  })
}

/**
 * Chooses step by step the test that adds the most statements for its time
 * (Chvátal 1979), and then removes redundant ones, the most expensive first.
 */
export function coverOf(files: ReadonlyMap<string, RecordedTests>): Map<string, Cover> {
  const opened = new Set<string>()
  const costOf = ({ file, milliseconds }: Choice) => milliseconds + (opened.has(file) ? 0 : (files.get(file)?.milliseconds ?? 0)) + 1
  const choices = [...files].flatMap(([file, record]) => choicesOf(file, record))
  const missing = new Set(choices.flatMap(({ statements }) => [...statements]))
  const added = ({ statements }: Choice) => statements.intersection(missing).size
  let left = choices
  const chosen: Choice[] = []
  while (missing.size > 0) {
    left = left.filter((choice) => added(choice) > 0)
    const best = left.reduce((best, choice) => (added(choice) / costOf(choice) > added(best) / costOf(best) ? choice : best))
    chosen.push(best)
    opened.add(best.file)
    for (const statement of best.statements) missing.delete(statement)
  }
  return namesOf(files, withoutNeedless(chosen))
}

function withoutNeedless(chosen: readonly Choice[]): Choice[] {
  const senders = new Map<string, number>()
  for (const { statements } of chosen) for (const statement of statements) senders.set(statement, (senders.get(statement) ?? 0) + 1)
  const needless = new Set<Choice>()
  for (const choice of chosen.toSorted((a, b) => b.milliseconds - a.milliseconds)) {
    const statements = [...choice.statements]
    if (statements.some((statement) => senders.get(statement) === 1)) continue
    needless.add(choice)
    for (const statement of statements) senders.set(statement, (senders.get(statement) ?? 0) - 1)
  }
  return chosen.filter((choice) => !needless.has(choice))
}

function namesOf(files: ReadonlyMap<string, RecordedTests>, chosen: readonly Choice[]): Map<string, Cover> {
  const covers = new Map([...files].map(([file, { tests }]): [string, Cover] => [file, { tests: tests.length, onBoth: {} }]))
  const seen = new Set<string>()
  for (const { file, names, statements } of chosen) {
    const cover = covers.get(file)
    const adds = statements.difference(seen).size
    if (cover) for (const name of names) cover.onBoth[name] = adds
    for (const statement of statements) seen.add(statement)
  }
  return covers
}
