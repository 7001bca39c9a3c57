import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { counted } from '../../platform/text.ts'
import { recordExport } from '../../system/export-organisation.ts'
import { recipientOf } from '../../system/transfer/recipient.ts'
import { type ExportSource, type WrittenExport, writeExport } from '../../system/transfer/write-export.ts'
import { cliActor } from '../actor.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { showProgress } from '../progress.ts'
import { withServices } from '../with-services.ts'
import { unwritable } from '../write-to.ts'
import { getOrganisationOfAnyStatus } from './get-organisation.ts'
import { readKey, refuseExisting } from './transfer-files.ts'

interface ExportCommandOptions extends CommonOptions {
  withSecrets?: boolean
  recipient?: string
}

export async function exportTo(slugOrId: string, file: string, options: ExportCommandOptions, command: Command): Promise<void> {
  if (options.withSecrets && !options.recipient) wrongUse(command, '--recipient is missing: --with-secrets encrypts them for a key')
  if (options.recipient && !options.withSecrets) wrongUse(command, '--recipient is for --with-secrets')
  const recipient = options.recipient === undefined ? undefined : await readKey(command, '--recipient', options.recipient, recipientOf)
  await refuseExisting(file)
  await withServices({ ...options, isBulk: true }, async ({ config, services }) => {
    if (config.databasePooler) {
      throw new CommandFailure('An export needs one connection for one snapshot: unset DATABASE_POOLER, and give a direct DATABASE_URL')
    }
    const { database, keyring, publicUrl, issuer, signingKeys } = services
    const organisation = await getOrganisationOfAnyStatus(database, slugOrId)
    const { id, slug, name } = organisation
    if (organisation.status === 'cancelled') throw new CommandFailure(`${slug} is cancelled, and is not moved any more`)
    await recordExport(database, cliActor(), id, {
      for: 'another installation',
      withSecrets: recipient !== undefined,
      ...(recipient && { recipient: recipient.thumbprint }),
    })
    await signingKeys.open()
    const source = { database, keyring, publicUrl, issuer, signingKeys, release: packageJson.version }
    const written = await writeFileOf(source, id, file, recipient)
    const total = Object.values(written.rows).reduce((sum, count) => sum + count, 0)
    const secrets = recipient ? `with its secrets for the key ${recipient.thumbprint}` : 'without its secrets'
    show(
      options,
      { organisation: { id, slug, name }, file, ...written, recipient: recipient?.thumbprint ?? null },
      `Exported ${slug} (${id}) to ${file}, ${secrets}: ${counted(written.rows.users ?? 0, 'user')}, ${counted(total, 'row')}`,
    )
  })
}

/** Writes a file that gets its name only once it is complete. */
async function writeFileOf(
  source: ExportSource,
  organisationId: string,
  file: string,
  recipient: Parameters<typeof writeExport>[2]['recipient'],
): Promise<WrittenExport> {
  const unfinished = `${file}.unfinished`
  const progress = showProgress('rows')
  const refuse = (error: unknown): never => {
    throw unwritable(file, error)
  }
  let handle: FileHandle | undefined
  try {
    await rm(unfinished, { force: true }).catch(refuse)
    // Append at the end of the file, even when the transaction runs again.
    const opened = await open(unfinished, 'ax', 0o600).catch(refuse)
    handle = opened
    const written = await writeExport(source, organisationId, {
      recipient,
      async write(line, number) {
        if (number === 1) await opened.truncate(0).catch(refuse)
        await opened.appendFile(line).catch(refuse)
      },
      onProgress: progress.at,
    })
    await opened.sync().catch(refuse)
    await opened.close()
    await rename(unfinished, file).catch(refuse)
    return written
  } catch (error) {
    await handle?.close().catch(() => {})
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  } finally {
    progress.end()
  }
}
