import process from 'node:process'
import type { Command } from 'commander'
import { grants } from '../../oauth/grants/grants.ts'
import { counted, formatNumber } from '../../platform/text.ts'
import { importOrganisation, type OrganisationImport } from '../../system/transfer/import-organisation.ts'
import { recipientKeyOf } from '../../system/transfer/recipient.ts'
import type { Trust } from '../../system/transfer/signature.ts'
import { cliActor } from '../actor.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { hasManyRows, refuseUnreadable } from '../import/report.ts'
import { show, showChange, type Told, withDryRun } from '../output.ts'
import { showSteps } from '../progress.ts'
import { publishedKeys } from '../published-keys.ts'
import { withServices } from '../with-services.ts'
import { readKey } from './transfer-files.ts'

interface ImportCommandOptions extends CommonOptions {
  key?: string
  trust?: string
  jwks?: string
  untrusted?: boolean
  ignoreTrialLimit?: boolean
}

export async function importFrom(file: string, options: ImportCommandOptions, command: Command): Promise<void> {
  const trust = trustOf(options, command)
  await refuseUnreadable(file)
  const key = options.key === undefined ? undefined : await readKey(command, '--key', options.key, recipientKeyOf)
  const steps = showSteps((step) => `rows ${step}`)
  await withServices({ ...options, isBulk: await hasManyRows(file) }, async ({ services }) => {
    const done = await importOrganisation({ ...services, grants }, file, {
      actor: cliActor(),
      key,
      trust,
      ignoreTrialLimit: options.ignoreTrialLimit ?? false,
      isRehearsal: options.dryRun ?? false,
      onProgress: steps.at,
    }).finally(steps.end)
    if (done.mistakeCount > 0) process.exitCode = 1
    if (done.mistakeCount > 0) show(options, withDryRun(options, done), textOfMistakes(done))
    else showChange(options, done, toldOf(done))
  })
}

/** The trusted issuer of the signature; undefined when the user deliberately trusts none. */
function trustOf({ trust, jwks, untrusted }: ImportCommandOptions, command: Command): Trust | undefined {
  if (untrusted && trust !== undefined)
    wrongUse(command, '--untrusted is for a file whose issuer you do not trust: --trust names one that you do')
  if (untrusted && jwks !== undefined) wrongUse(command, '--jwks is for --trust')
  if (untrusted) return undefined
  if (trust === undefined) {
    return wrongUse(
      command,
      '--trust is missing: name the installation that wrote the file, such as https://id.example.com; --untrusted takes it without what grants',
    )
  }
  if (!URL.canParse(trust)) wrongUse(command, '--trust is not a URL such as https://id.example.com')
  const issuer = trust.replace(/\/$/, '')
  return { issuer, keys: () => publishedKeys(issuer, jwks) }
}

function textOfMistakes({ mistakeCount, mistakes }: OrganisationImport): string {
  const more = mistakeCount > mistakes.length ? [`… and ${formatNumber(mistakeCount - mistakes.length)} more`] : []
  const lines = mistakes.map(({ place, message }) => `${place}: ${message}`)
  return [...lines, ...more, `Nothing was written: ${counted(mistakeCount, 'mistake')}`].join('\n')
}

function toldOf({ organisation, rows, todo }: OrganisationImport): Told {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const lines = todo.map(({ what, count, note, names }) => {
    const which = names.length === 0 ? '' : ` (${formatNumber(count)}: ${names.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`
    return `  ${what} ${note}${which}`
  })
  const summary = `${organisation?.slug} (${organisation?.id}): ${counted(rows.users ?? 0, 'user')}, ${counted(total, 'row')}`
  return {
    done: [`Imported ${summary}`, 'What remains to be done:', ...lines].join('\n'),
    would: [`import ${summary}`, 'What would remain to be done:', ...lines].join('\n'),
  }
}
