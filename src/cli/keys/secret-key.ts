import { recordForWholeDatabase } from '../../activity/record-for-every-organisation.ts'
import { countSecretsUnder, reEncryptSome } from '../../system/re-encrypt-secrets.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { showProgress } from '../progress.ts'
import { withServices } from '../with-services.ts'

export const rotate = (options: CommonOptions) =>
  withServices(options, async ({ services: { database, keyring } }) => {
    const { previousKeyId } = keyring
    if (previousKeyId === undefined) {
      throw new CommandFailure(
        'SECRET_KEY_PREVIOUS is not set: give the key as it was in it, and the new one in SECRET_KEY, to the service as well as to this command',
      )
    }
    const total = await countSecretsUnder(database, previousKeyId)
    if (options.dryRun) return show(options, { total }, `${total} secrets are under SECRET_KEY_PREVIOUS`)
    const progress = showProgress('secrets', total)
    let done = 0
    // Each batch is committed by itself: what is interrupted is continued by the next run.
    for (let found = 1; found > 0; done += found, progress.at(done)) found = await reEncryptSome(database, keyring, previousKeyId)
    progress.end()
    const left = await countSecretsUnder(database, previousKeyId)
    if (done > 0) {
      const rotated = { action: 'secret_key.rotated', metadata: { reEncrypted: done, left } } as const
      await database.systemTransaction((system) => recordForWholeDatabase(system, cliActor(), rotated))
    }
    show(
      options,
      { reEncrypted: done, left },
      `Re-encrypted ${done} secrets, ${left} are left under the former key. ${
        left === 0 ? 'SECRET_KEY_PREVIOUS can be removed once no process of the service runs without the new SECRET_KEY' : 'Run it again'
      }`,
    )
  })
