import { firstStepsOf } from '../../app/greeting.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDatabase } from '../../platform/database/database.ts'
import { findFirstSteps } from '../../provisioning/first-steps.ts'
import type { CommonOptions } from '../add-command.ts'
import { show } from '../output.ts'
import { refusePending, withEngine } from '../with-services.ts'

/** `gatehouse first-steps`: what the first start printed, except for the password, of which only a hash is stored. */
export async function firstSteps(options: CommonOptions): Promise<void> {
  await withEngine({}, async (config, engine, { pending }) => {
    refusePending(pending)
    const found = await findFirstSteps(createDatabase(engine, systemClock))
    const { slug = null, email = null, isPasswordUnchanged = null } = found ?? {}
    show(options, { console: `${config.publicUrl}/console`, slug, email, isPasswordUnchanged }, firstStepsOf(config, found).join('\n'))
  })
}
