import type { Command } from 'commander'
import type { Asked } from '../../configuration/apply.ts'
import { counted } from '../../platform/text.ts'
import { type ConfirmOptions, wrongUse } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { show } from '../output.ts'
import { textOfChanges, textOfSecrets } from './print-changes.ts'
import { readDocument, type WrittenDocument, withSecrets } from './read-document.ts'
import { readSavedPlan } from './saved-plan.ts'
import type { DocumentOptions, Target } from './target.ts'
import { organisationOf, placed, withTarget } from './with-target.ts'

interface ApplyOptions extends DocumentOptions, ConfirmOptions {
  plan?: string
}

const verbs = { create: 'created', update: 'updated', delete: 'deleted' }

export async function apply(options: ApplyOptions, command: Command): Promise<void> {
  const { file, plan } = options
  if (plan === undefined && file.length === 0) wrongUse(command, '--file is missing: it names the document')
  const { organisation, asked, ...written } = await (plan === undefined ? ofDocument(options, command) : ofPlan(options, plan))
  await placed(written, () =>
    withTarget({ ...options, isChange: true }, organisation, async (target) => {
      const complete = { ...asked, document: withSecrets(asked.document) }
      // The confirmed changes are the changes that are applied.
      const basis = asked.prune ? await confirmPruning(command, options, target, complete) : asked.basis
      const { changes, secrets, ids } = await target.apply({ ...complete, basis })
      // A dry run is rolled back, so its keys and secrets are useless.
      if (options.dryRun)
        return show(options, { dryRun: true, organisation: target.slug, changes }, textOfChanges(target.slug, changes, asked.document))
      const done = textOfChanges(target.slug, changes, asked.document).replace(
        / to (create|update|delete)/g,
        (_, verb: keyof typeof verbs) => ` ${verbs[verb]}`,
      )
      show(options, { organisation: target.slug, changes, secrets, ids }, `${done}${textOfSecrets(secrets, ids)}`)
    }),
  )
}

/** @returns the basis of the plan that was confirmed */
async function confirmPruning(command: Command, options: ApplyOptions, target: Target, asked: Asked): Promise<string | undefined> {
  if (options.yes || options.dryRun) return asked.basis
  const { changes, basis } = await target.plan(asked)
  const ended = changes.filter(({ action }) => action === 'delete').map(({ section, object }) => `${section}.${object}`)
  const those = ended.length > 0 ? `: ${ended.join(', ')}` : ''
  await confirm(command, options, {
    consequences: [`${target.slug} loses ${counted(ended.length, 'object')}, which the document does not name${those}`],
    name: target.slug,
  })
  return asked.basis ?? basis
}

type Applied = Pick<WrittenDocument, 'inPlace'> & { organisation: string; asked: Asked }

async function ofDocument({ file, prune = false, ...options }: ApplyOptions, command: Command): Promise<Applied> {
  const written = await readDocument(file)
  const { organisation, document } = organisationOf(command, options.organisation, written.document)
  return { organisation, asked: { document, prune }, inPlace: written.inPlace }
}

async function ofPlan(options: ApplyOptions, file: string): Promise<Applied> {
  const { organisation, document, prune, basis } = await readSavedPlan(file)
  const named = { organisation: options.organisation ?? organisation, asked: { document, prune, basis } }
  return { ...named, inPlace: (error) => error }
}
