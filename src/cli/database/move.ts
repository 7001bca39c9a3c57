import process from 'node:process'
import type { Command } from 'commander'
import { describeVariables } from '../../app/described-variables.ts'
import { copyDatabase } from '../../platform/database/copy-database.ts'
import type { Engine } from '../../platform/database/engine.ts'
import { mistakeOfHosts, serverUrls } from '../../platform/database/server-addresses.ts'
import { counted } from '../../platform/text.ts'
import { type CommonOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { printNotice } from '../print.ts'
import { showProgress } from '../progress.ts'
import { refusePending, withEngine } from '../with-services.ts'
import { recordWithin } from './record.ts'

interface MoveOptions extends CommonOptions {
  to?: string
}

const variable = 'DATABASE_MOVE_TO'

const ofOneServer = ['DATABASE_POOLER', 'DATABASE_LISTEN_URL', 'DATABASE_REPLICA_URL']

export async function moveDatabase(command: Command, options: MoveOptions): Promise<void> {
  const { to, name } = targetOf(command, options)
  await withEngine({ isBulk: true, isAlone: true }, async (config, source, { pending }) => {
    refusePending(pending)
    const { openPostgres } = await import('../../platform/database/postgres.ts')
    const target = openPostgres(to, { poolSize: 2, takesRoles: false })
    let progress: ReturnType<typeof showProgress> | undefined
    try {
      const { tables, left } = await copyDatabase(source, explaining(target, { to, name }), {
        isRehearsal: options.dryRun ?? false,
        seconds: config.databaseWaitSeconds,
        onBlocked: (line) => printNotice(`${line}. It is tried again`),
        record: (read) => recordWithin(source, read, { action: 'database.moved', metadata: { from: source.kind, to: target.kind } }),
        onRows(done, total) {
          progress ??= showProgress('rows', total)
          progress.at(done)
        },
      })
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const address = describeVariables({ DATABASE_URL: to }).find(({ name }) => name === 'DATABASE_URL')?.value
      const toReview = ofOneServer.filter((name) => process.env[name])
      const copied = `${counted(rows, 'row')} of ${counted(tables.length, 'table')}`
      const lines = [
        options.dryRun
          ? `Would copy ${copied}: counts and checksums would be equal. The environment would change like this:`
          : `Copied ${copied}. Counts and checksums are equal`,
        ...(left.length > 0 ? [`Left, since they are not of Gatehouse: ${left.join(', ')}`] : []),
        ...(options.dryRun ? [] : ['Change in the environment of the service, and start it:']),
        `  DATABASE_URL=${address}`,
        ...toReview.map((name) => `  ${name}: set it for the new server, or remove it`),
        'Leave SECRET_KEY and DATA_DIR as they are: they hold the secret key, and files that stay where they are',
        ...(options.dryRun ? [] : ['The former database has all that it had: remove it when the service has run on the new one']),
      ]
      show(options, { tables, left, environment: { DATABASE_URL: address }, toReview }, lines.join('\n'))
    } finally {
      progress?.end()
      await target.close()
    }
  })
}

/** The target. Every user of the machine can read arguments, so a password is accepted only from the environment. */
function targetOf(command: Command, options: MoveOptions): { to: string; name: string } {
  const name = options.to === undefined ? variable : '--to'
  const to =
    options.to ??
    process.env[variable] ??
    wrongUse(command, `--to is missing, and ${variable} is not set: one of them names the database that takes it`)
  const urls = serverUrls(to).map((one) => URL.parse(one))
  const [url] = urls
  if (!url || urls.includes(null) || !/^postgres(ql)?:$/.test(url.protocol))
    wrongUse(command, `${name} is wrong: it must be an address such as postgres://user@host:5432/name`)
  const mistake = mistakeOfHosts(to)
  if (mistake) wrongUse(command, `${name} is wrong: it must be ${mistake}`)
  if (options.to !== undefined && (url.password !== '' || url.searchParams.has('password')))
    wrongUse(
      command,
      `--to holds a password, which every user of the machine could read: give it in PGPASSWORD, or all of it in ${variable}`,
    )
  return { to, name }
}

/** Names the option in errors when the target cannot be reached, or does not allow the work. */
function explaining(target: Engine, { to, name }: { to: string; name: string }): Engine {
  const explained = async (error: unknown): Promise<never> => {
    const { explainError } = await import('../../app/explain-failure.ts')
    throw new CommandFailure(explainError(error, to, name), { cause: error })
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
