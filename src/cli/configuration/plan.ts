import type { Command } from 'commander'
import { wrongUse } from '../add-command.ts'
import { show } from '../output.ts'
import { writeTo } from '../write-to.ts'
import { textOfChanges } from './print-changes.ts'
import { readDocument, withSecrets } from './read-document.ts'
import { type SavedPlan, savedPlanVersion } from './saved-plan.ts'
import type { DocumentOptions } from './target.ts'
import { organisationOf, placed, withTarget } from './with-target.ts'

export async function plan(options: DocumentOptions & { out?: string }, command: Command): Promise<void> {
  const { file, prune = false, out } = options
  if (file.length === 0) wrongUse(command, '--file is missing: it names the document')
  const written = await readDocument(file)
  const { organisation, document } = organisationOf(command, options.organisation, written.document)
  await placed(written, () =>
    withTarget({ ...options, isChange: true }, organisation, async (target) => {
      const { basis, changes } = await target.plan({ document: withSecrets(document), prune })
      const saved: SavedPlan = {
        version: savedPlanVersion,
        organisation: target.slug,
        prune,
        basis,
        document: { ...document, organisation: target.slug },
      }
      if (out !== undefined) await writeTo(out, `${JSON.stringify(saved, null, 2)}\n`)
      show(options, { organisation: target.slug, basis, changes }, textOfChanges(target.slug, changes, document))
    }),
  )
}
