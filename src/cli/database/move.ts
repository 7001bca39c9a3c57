import process from 'node:process'
import type { Command } from 'commander'
import { describeVariables } from '../../app/described-variables.ts'
import { copyDatabase } from '../../platform/database/copy-database.ts'
import type { Engine } from '../../platform/database/engine.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { showProgress } from '../progress.ts'
import { refusePending, withEngine } from '../with-services.ts'
import { recordWithin } from './record.ts'

interface MoveOptions extends CommonOptions {
  to: string
}

/** These belong to the former server. */
const ofOneServer = ['DATABASE_POOLER', 'DATABASE_LISTEN_URL', 'DATABASE_REPLICA_URL']

export async function moveDatabase(command: Command, options: MoveOptions): Promise<void> {
  if (!/^postgres(ql)?:$/.test(URL.parse(options.to)?.protocol ?? ''))
    wrongUse(command, '--to is wrong: it must be an address such as postgres://user:password@host:5432/name')
  await withEngine({ isBulk: true }, async (_config, source, { pending }) => {
    refusePending(pending)
    const { openPostgres } = await import('../../platform/database/postgres.ts')
    const target = openPostgres(options.to, { poolSize: 2, takesRoles: false })
    let progress: ReturnType<typeof showProgress> | undefined
    try {
      const { tables, left } = await copyDatabase(source, explaining(target, options.to), {
        isRehearsal: options.dryRun ?? false,
        record: (read) => recordWithin(source, read, { action: 'database.moved', metadata: { from: source.kind, to: target.kind } }),
        onRows(done, total) {
          progress ??= showProgress('rows', total)
          progress.at(done)
        },
      })
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const address = describeVariables({ DATABASE_URL: options.to }).find(({ name }) => name === 'DATABASE_URL')?.value
      const toReview = ofOneServer.filter((name) => process.env[name])
      const lines = [
        `Copied ${rows.toLocaleString('en-GB')} rows of ${tables.length} tables. Counts and checksums are equal`,
        ...(left.length > 0 ? [`Left, since they are not of Gatehouse: ${left.join(', ')}`] : []),
        'Change in the environment of the service, and start it:',
        `  DATABASE_URL=${address}`,
        ...toReview.map((name) => `  ${name}: set it for the new server, or remove it`),
        'Leave SECRET_KEY and DATA_DIR as they are: they hold the secret key, and files that stay where they are',
        'The former database has all that it had: remove it when the service has run on the new one',
      ]
      show(options, { tables, left, environment: { DATABASE_URL: address }, toReview }, lines.join('\n'))
    } finally {
      progress?.end()
      await target.close()
    }
  })
}

/** Names the option when the target cannot be reached, or does not allow what has to be done. */
function explaining(target: Engine, to: string): Engine {
  const explained = async (error: unknown): Promise<never> => {
    const { explainError } = await import('../../app/explain-failure.ts')
    throw new CommandFailure(explainError(error, to, '--to'), { cause: error })
  }
  return {
    ...target,
    ownerTransaction(work) {
      let isOpen = false
      return target
        .ownerTransaction((transaction) => {
          isOpen = true
          return work({ execute: (query) => transaction.execute<never>(query).catch(explained) })
        })
        .catch((error) => {
          if (isOpen) throw error
          return explained(error)
        })
    },
  }
}
