import { access, constants, stat } from 'node:fs/promises'
import process from 'node:process'
import { ImportEnded, type ImportOptions, type UsersImport } from '../../import/import-users.ts'
import type { ReportLine } from '../../import/report.ts'
import { WrongRoleMap } from '../../import/role-names.ts'
import { whyUnusable } from '../../platform/system-errors.ts'
import { counted, formatNumber, visibleText } from '../../platform/text.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show, showChange, withDryRun } from '../output.ts'
import { printNotice } from '../print.ts'
import { showSteps } from '../progress.ts'

export interface UsersOptions extends CommonOptions {
  organisation: string
  resume?: boolean
  sendLinks?: boolean
  ignoreTrialLimit?: boolean
}

/** @throws CommandFailure for anything but a file: a pipe cannot be read twice */
export async function refuseUnreadable(path: string): Promise<void> {
  const isFile = await access(path, constants.R_OK)
    .then(() => stat(path))
    .then(
      (found) => found.isFile(),
      (error: unknown) => {
        throw new CommandFailure(`${path} cannot be read: ${whyUnusable(error)}`)
      },
    )
  if (!isFile) throw new CommandFailure(`${path} is not a file`)
}

/** The size of a file of about a thousand users. */
const manyRowsBytes = 256 * 1_024

/** Whether files hold so many rows that the embedded database should be opened for bulk work. For few rows, that takes longer. */
export async function hasManyRows(...paths: string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path)))
  return found.some(({ size }) => size > manyRowsBytes)
}

/** A program between the terminal and this one, such as npm, passes on a Ctrl-C that this one has had already. */
const sameSignalMilliseconds = 1_000

type Shared = Pick<ImportOptions, 'resume' | 'sendLinks' | 'ignoreTrialLimit' | 'onProgress' | 'signal'>
type Step = Parameters<NonNullable<Shared['onProgress']>>[0]

/**
 * Runs an import with the options that the commands share, and its progress on stderr. Ctrl-C ends it after the batch that is being
 * written, and a second one at once.
 *
 * @throws CommandFailure in place of the import's own errors about `--map-role` and its end
 */
export async function runImport<Done>(
  { resume = false, sendLinks = false, ignoreTrialLimit = false, dryRun = false }: UsersOptions,
  run: (shared: Shared) => Promise<Done>,
): Promise<Done> {
  const steps = showSteps<Step>((step) => (step === 'checked' ? 'users checked' : 'users'))
  const ending = new AbortController()
  let endedAt: number | undefined
  const end = () => {
    if (endedAt !== undefined && performance.now() - endedAt > sameSignalMilliseconds) process.exit(1)
    if (endedAt !== undefined) return
    endedAt = performance.now()
    steps.end()
    printNotice('Ending after the users that are just being written. Again, it ends at once')
    ending.abort()
  }
  for (const signal of endingSignals) process.on(signal, end)
  try {
    return await run({ resume, sendLinks, ignoreTrialLimit, onProgress: steps.at, signal: ending.signal })
  } catch (error) {
    if (error instanceof WrongRoleMap) throw new CommandFailure(`--map-role: ${error.message}`)
    if (error instanceof ImportEnded) throw new CommandFailure(textOfEnded(error, dryRun))
    throw error
  } finally {
    steps.end()
    for (const signal of endingSignals) process.off(signal, end)
  }
}

const endingSignals = ['SIGINT', 'SIGTERM'] as const

function textOfEnded({ written }: ImportEnded, isDryRun: boolean): string {
  if (isDryRun) return 'The dry run was ended: nothing was changed'
  if (!written) return 'The import was ended before it wrote anything'
  const { users, there } = written
  return `The import was ended: ${formatNumber(there)} of ${counted(users, 'user')} ${there === 1 ? 'is' : 'are'} in the organisation. Run the same command with --resume, which skips them, for the others`
}

/**
 * Prints the result of an import, and makes the command end with 1 if there were mistakes.
 *
 * @param document without what a dry run has made up
 * @param lines what else there is to say
 */
export function showImport(
  options: CommonOptions,
  document: object,
  { users, slug, lines }: { users: UsersImport; slug: string; lines: readonly string[] },
): void {
  if (users.mistakeCount > 0) {
    process.exitCode = 1
    show(options, withDryRun(options, document), [textOfMistakes(users), ...lines].join('\n'))
    return
  }
  const there = users.existing > 0 ? `; ${formatNumber(users.existing)} there already` : ''
  const rest = [`${formatNumber(users.created)} of ${counted(users.users, 'user')} in ${slug}${there}`, ...lines].join('\n')
  showChange(options, document, { done: `Created ${rest}`, would: `create ${rest}` })
}

function textOfMistakes({ users, mistakeCount, mistakes }: UsersImport): string {
  const more = mistakeCount > mistakes.length ? [`… and ${formatNumber(mistakeCount - mistakes.length)} more`] : []
  return [
    ...mistakes.map(({ place, message }) => visibleText(`${place}: ${message}`)),
    ...more,
    `Nothing was written: ${counted(mistakeCount, 'mistake')}${users > 0 ? ` in ${counted(users, 'user')}` : ''}`,
  ].join('\n')
}

const verbs = {
  done: { taken: 'taken', changed: 'changed', left: 'skipped' },
  would: { taken: 'take', changed: 'change', left: 'skip' },
} as const

/** Lists what was imported, changed and left out, or would be, a line each, with the reason and the first names. */
export const linesOfReport = ({ dryRun }: CommonOptions, report: readonly ReportLine[]): string[] =>
  report.map(({ outcome, what, count, note, names }) => {
    const which = outcome === 'taken' || names.length === 0 ? '' : ` (${names.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`
    return visibleText(`${verbs[dryRun ? 'would' : 'done'][outcome].padEnd(7)}  ${formatNumber(count)} × ${what}: ${note}${which}`)
  })
