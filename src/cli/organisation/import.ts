import process from 'node:process'
import type { Command } from 'commander'
import { importOrganisation, type OrganisationImport } from '../../system/transfer/import-organisation.ts'
import { recipientKeyOf } from '../../system/transfer/recipient.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { refuseUnreadable } from '../import/report.ts'
import { show } from '../output.ts'
import { type Progress, showProgress } from '../progress.ts'
import { withServices } from '../with-services.ts'
import { readKey } from './transfer-files.ts'

interface ImportCommandOptions extends CommonOptions {
  key?: string
  ignoreTrialLimit?: boolean
}

export async function importFrom(file: string, options: ImportCommandOptions, command: Command): Promise<void> {
  await refuseUnreadable(file)
  const key = options.key === undefined ? undefined : await readKey(command, '--key', options.key, recipientKeyOf)
  const shown = new Map<string, Progress>()
  await withServices({ ...options, isBulk: true }, async ({ services }) => {
    const done = await importOrganisation(services, file, {
      actor: cliActor(),
      key,
      ignoreTrialLimit: options.ignoreTrialLimit ?? false,
      onProgress(step, rows) {
        const progress = shown.get(step) ?? showProgress(`rows ${step}`)
        shown.set(step, progress)
        progress.at(rows)
      },
    })
    for (const progress of shown.values()) progress.end()
    if (done.mistakeCount > 0) process.exitCode = 1
    show(options, done, reportOf(done))
  })
}

const counted = (count = 0) => count.toLocaleString('en-GB')

function reportOf({ organisation, rows, todo, mistakeCount, mistakes }: OrganisationImport): string {
  if (mistakeCount > 0) {
    const more = mistakeCount > mistakes.length ? [`… and ${counted(mistakeCount - mistakes.length)} more`] : []
    const lines = mistakes.map(({ place, message }) => `${place}: ${message}`)
    return [...lines, ...more, `Nothing was written: ${counted(mistakeCount)} ${mistakeCount === 1 ? 'mistake' : 'mistakes'}`].join('\n')
  }
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const lines = todo.map(({ what, count, note, names }) => {
    const which = names.length === 0 ? '' : ` (${names.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`
    return `  ${count > 1 || names.length > 0 ? `${counted(count)} × ` : ''}${what} ${note}${which}`
  })
  const summary = `Imported ${organisation?.slug} (${organisation?.id}): ${counted(rows.users)} ${rows.users === 1 ? 'user' : 'users'}, ${counted(total)} rows`
  return [summary, 'What remains to be done:', ...lines].join('\n')
}
