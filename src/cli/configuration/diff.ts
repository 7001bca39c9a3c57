import process from 'node:process'
import type { Command } from 'commander'
import { wrongUse } from '../add-command.ts'
import { show } from '../output.ts'
import { textOfChanges } from './print-changes.ts'
import { readDocument, withSecrets } from './read-document.ts'
import type { DocumentOptions } from './target.ts'
import { organisationOf, placed, withTarget } from './with-target.ts'

export async function diff(options: DocumentOptions, command: Command): Promise<void> {
  const { file, prune = false } = options
  if (file.length === 0) wrongUse(command, '--file is missing: it names the document')
  const written = await readDocument(file)
  const { organisation, document } = organisationOf(command, options.organisation, written.document)
  await placed(written, () =>
    withTarget(options, organisation, async ({ slug, drift }) => {
      const changes = await drift({ document: withSecrets(document), prune })
      show(options, { organisation: slug, changes }, textOfChanges(slug, changes, document))
      if (changes.length > 0) process.exitCode = 1
    }),
  )
}
