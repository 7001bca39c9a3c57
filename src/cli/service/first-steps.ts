import process from 'node:process'
import { type Config, readConfig } from '../../app/config.ts'
import { firstStepsOf } from '../../app/greeting.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database/database.ts'
import { findHolder } from '../../platform/database/embedded/control-socket.ts'
import { type FirstSteps, findFirstSteps } from '../../provisioning/first-steps.ts'
import type { CommonOptions } from '../add-command.ts'
import { useAsOwner } from '../data-dir.ts'
import { embeddedFolder } from '../database/embedded-database.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { refusePending, withEngine } from '../with-services.ts'

/** `gatehouse first-steps`: what the first start has printed, but for the password, of which only a hash is stored. */
export async function firstSteps(options: CommonOptions): Promise<void> {
  const config = readConfig(process.env)
  const asked = config.databaseUrl ? undefined : await askService(config)
  if (asked) return print(options, config, asked.firstSteps ?? undefined)
  await withEngine({ whenInUse: 'wait until it is ready, and run this again' }, async (_config, engine, { pending }) => {
    refusePending(pending)
    print(options, config, await findFirstSteps(createDatabase(engine, systemClock)))
  })
}

function print(options: CommonOptions, config: Config, found: FirstSteps | undefined): void {
  const { slug = null, email = null, isPasswordUnchanged = null } = found ?? {}
  show(options, { console: `${config.publicUrl}/console`, slug, email, isPasswordUnchanged }, firstStepsOf(config, found).join('\n'))
}

/** @returns undefined when no service has the embedded database open */
async function askService(config: Config): Promise<{ firstSteps: FirstSteps | null } | undefined> {
  await useAsOwner(config)
  const holder = await findHolder(embeddedFolder(config))
  if (!holder) return undefined
  try {
    const answer = await holder.ask({ kind: 'firstSteps' })
    if ('refused' in answer) throw new CommandFailure(answer.refused)
    return 'firstSteps' in answer ? answer : undefined
  } finally {
    holder.close()
  }
}
