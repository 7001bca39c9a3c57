import type { Command } from 'commander'
import type { Asked } from '../../configuration/apply.ts'
import { wrongUse } from '../add-command.ts'
import { show } from '../output.ts'
import { textOfChanges, textOfSecrets } from './print-changes.ts'
import { readDocument, type WrittenDocument, withSecrets } from './read-document.ts'
import { readSavedPlan } from './saved-plan.ts'
import type { DocumentOptions } from './target.ts'
import { organisationOf, placed, withTarget } from './with-target.ts'

interface ApplyOptions extends DocumentOptions {
  plan?: string
  yes?: boolean
}

export async function apply(options: ApplyOptions, command: Command): Promise<void> {
  const { file, plan } = options
  if (plan === undefined && file.length === 0) wrongUse(command, '--file is missing: it names the document')
  const { organisation, asked, ...written } = await (plan === undefined ? ofDocument(options, command) : ofPlan(options, plan))
  await placed(written, () =>
    withTarget(options, organisation, async (target) => {
      const { changes, secrets } = await target.apply({ ...asked, document: withSecrets(asked.document) })
      const text = `${textOfChanges(target.slug, changes).replace(/ to (create|update|delete)/g, ' $1d')}${textOfSecrets(secrets)}`
      show(options, { organisation: target.slug, changes, secrets }, text)
    }),
  )
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
