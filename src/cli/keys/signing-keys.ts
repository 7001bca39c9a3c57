import { presentSigningKey } from '../../tokens/present-signing-key.ts'
import { listSigningKeys, rotateSigningKeys } from '../../tokens/rotate-signing-keys.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions } from '../add-command.ts'
import { show, showList } from '../output.ts'
import { withServices } from '../with-services.ts'

type Keys = Awaited<ReturnType<typeof listSigningKeys>>

export const list = (options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => showKeys(options, await listSigningKeys(database)))

export const rotate = (options: CommonOptions & { withdraw?: boolean }) =>
  withServices(options, async ({ services: { database, keyring } }) => {
    const keys = await rotateSigningKeys(database, keyring, cliActor(), { withdraw: options.withdraw ?? false })
    // Undone before it was read, the new key is not among them.
    if (options.dryRun) show(options, {}, 'The keys can be rotated')
    else showKeys(options, keys)
  })

const showKeys = (options: CommonOptions, keys: Keys) =>
  showList(options, keys.map(presentSigningKey), ['state', 'alg', 'kid', 'signsFrom', 'retiresAt'])
