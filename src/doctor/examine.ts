import { type Finding, type FindingInWords, findingInWords } from '../../shared/doctor-findings/findings.ts'
import { englishFindings } from '../../shared/doctor-findings/texts-en.ts'
import { version } from '../platform/version.ts'
import { type Check, type DoctorContext, failure, type Group, groups, reasonOf, type State, states } from './check.ts'
import { checks as allChecks } from './checks.ts'

/** What became of a check, with its finding in English. */
export interface CheckResult extends FindingInWords {
  name: string
  group: Group
  title: string
  state: State
  code: Finding['code']
  values: Record<string, unknown>
}

export interface Examination {
  /** The worst of all states. */
  state: State
  version: string
  examinedAt: string
  checks: CheckResult[]
  /** The names of checks that were left out because another check failed. */
  leftOut: string[]
}

const reachable = 'database-reachable'
const usualSeconds = 10

/**
 * Runs every check that applies to this installation: first those that others depend on, then those that others would
 * disturb, then all the rest concurrently. Checks that need the database, its tables or the address are left out if those are missing.
 */
export async function examine(context: DoctorContext, checks: readonly Check[] = allChecks): Promise<Examination> {
  const applicable = checks.filter(({ applies }) => applies?.(context) ?? true)
  const results = new Map<Check, CheckResult>()
  const make = async (check: Check) => void results.set(check, resultOf(check, await runCheck(check, context)))

  const first = applicable.filter(({ name }) => applicable.some((check) => neededBy(check) === name))
  await Promise.all(first.map(make))
  const failed = first.filter((check) => results.get(check)?.state !== 'ok').map(({ name }) => name)
  const hasSchema = await hasTables(context, failed)
  const isLeftOut = (check: Check) => failed.includes(neededBy(check) ?? '') || (check.needsSchema === true && !hasSchema)
  const left = applicable.filter((check) => !first.includes(check) && !isLeftOut(check))
  for (const check of left) if (check.runsAlone) await make(check)
  await Promise.all(left.filter(({ runsAlone }) => !runsAlone).map(make))
  return examinationOf(
    applicable.flatMap((check) => results.get(check) ?? []),
    { examinedAt: context.database.clock.now().toISOString(), leftOut: applicable.filter(isLeftOut).map(({ name }) => name) },
  )
}

const neededBy = ({ after, needsSchema }: Check) => after ?? (needsSchema ? reachable : undefined)

export function examineMistakes(mistakes: readonly string[]): Examination {
  const [configuration, ...others] = allChecks as readonly [Check, ...Check[]]
  return examinationOf([resultOf(configuration, failure('variables-refused', { mistakes: [...mistakes] }))], {
    examinedAt: new Date().toISOString(),
    leftOut: others.map(({ name }) => name),
  })
}

/** Combines results, in the order of the groups. */
function examinationOf(results: readonly CheckResult[], told: { examinedAt: string; leftOut: string[] }): Examination {
  return {
    state: states.findLast((state) => results.some((result) => result.state === state)) ?? 'ok',
    version,
    ...told,
    checks: groups.flatMap((group) => results.filter((result) => result.group === group)),
  }
}

const resultOf = ({ name, group, title }: Pick<Check, 'name' | 'group' | 'title'>, finding: Finding): CheckResult => ({
  name,
  group,
  title,
  ...finding,
  values: { ...finding.values },
  // The compiler sees that every finding has words.
  ...(findingInWords(englishFindings, finding) as FindingInWords),
})

/** Whether the tables exist. If the state cannot be read, the checks that need it report that. */
async function hasTables({ migrationState }: DoctorContext, failed: readonly string[]): Promise<boolean> {
  if (failed.includes(reachable)) return false
  const state = await migrationState().catch(() => undefined)
  return state === undefined || (state.pending.length === 0 && state.unknown.length === 0)
}

async function runCheck(check: Check, context: DoctorContext): Promise<Finding> {
  const { seconds = usualSeconds } = check
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<Finding>((resolve) => {
    timer = setTimeout(resolve, seconds * 1_000, failure('check-not-ended', { seconds }))
  })
  // An async function also catches a check that throws synchronously.
  const run = (async () => check.run(context))().catch((error: unknown) => failure('check-not-made', { reason: reasonOf(error) }))
  return Promise.race([run, tooLate]).finally(() => clearTimeout(timer))
}
