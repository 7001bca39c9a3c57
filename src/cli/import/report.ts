import { access, constants, stat } from 'node:fs/promises'
import process from 'node:process'
import type { ImportOptions, UsersImport } from '../../import/import-users.ts'
import type { ReportLine } from '../../import/report.ts'
import { WrongRoleMap } from '../../import/role-names.ts'
import { whyUnusable } from '../../platform/system-errors.ts'
import { counted, formatNumber, visibleText } from '../../platform/text.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { type Progress, showProgress } from '../progress.ts'

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

/** The options that the commands share, with the progress on stderr. */
export function optionsOf({ resume = false, sendLinks = false, ignoreTrialLimit = false }: UsersOptions) {
  const shown = new Map<string, Progress>()
  const onProgress: ImportOptions['onProgress'] = (step, count) => {
    const progress = shown.get(step) ?? showProgress(step === 'checked' ? 'users checked' : 'users')
    shown.set(step, progress)
    progress.at(count)
  }
  return { resume, sendLinks, ignoreTrialLimit, onProgress }
}

/** @throws CommandFailure in place of the import's own message about `--map-role` */
export function refuseRoleMap(error: unknown): never {
  if (error instanceof WrongRoleMap) throw new CommandFailure(`--map-role: ${error.message}`)
  throw error
}

/** Makes the command end with 1 if there were mistakes. */
export function finish({ mistakeCount }: UsersImport): void {
  if (mistakeCount > 0) process.exitCode = 1
}

/** The result, as text. */
export function reportOf({ users, created, existing, mistakeCount, mistakes }: UsersImport, slug: string): string {
  const there = existing > 0 ? `; ${formatNumber(existing)} there already` : ''
  if (mistakeCount === 0) return `Created ${formatNumber(created)} of ${counted(users, 'user')} in ${slug}${there}`
  const more = mistakeCount > mistakes.length ? [`… and ${formatNumber(mistakeCount - mistakes.length)} more`] : []
  return [
    ...mistakes.map(({ place, message }) => visibleText(`${place}: ${message}`)),
    ...more,
    `Nothing was written: ${counted(mistakeCount, 'mistake')}${users > 0 ? ` in ${counted(users, 'user')}` : ''}`,
  ].join('\n')
}

/** Lists what was imported, changed and left out, a line each, with the reason and the first names. */
export const linesOfReport = (report: readonly ReportLine[]): string[] =>
  report.map(({ outcome, what, count, note, names }) => {
    const which = outcome === 'taken' || names.length === 0 ? '' : ` (${names.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`
    return visibleText(`${(outcome === 'left' ? 'skipped' : outcome).padEnd(7)}  ${formatNumber(count)} × ${what}: ${note}${which}`)
  })
