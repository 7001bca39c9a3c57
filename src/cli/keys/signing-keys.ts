import type { Command } from 'commander'
import { counted } from '../../platform/text.ts'
import { countSigned } from '../../system/count-concerned.ts'
import { presentSigningKey } from '../../tokens/present-signing-key.ts'
import { listSigningKeys, rotateSigningKeys } from '../../tokens/rotate-signing-keys.ts'
import { cliActor } from '../actor.ts'
import type { CommonOptions, ConfirmOptions } from '../add-command.ts'
import { confirm } from '../confirm.ts'
import { showChange, showList } from '../output.ts'
import { withServices } from '../with-services.ts'

type Keys = Awaited<ReturnType<typeof listSigningKeys>>

export const list = (options: CommonOptions) =>
  withServices(options, async ({ services: { database } }) => showKeys(options, await listSigningKeys(database)))

export const rotate = ({ withdraw = false, ...options }: ConfirmOptions & { withdraw?: boolean }, command: Command) =>
  withServices(options, async ({ services: { database, keyring } }) => {
    const { keys, families } = await countSigned(database)
    const withdrawn = counted(keys, 'signing key')
    if (withdraw) {
      const concerned = `every token that ${keys === 1 ? 'it' : 'they'} signed ends, also those of ${counted(families, 'sign-in')} to applications`
      await confirm(command, options, { consequences: [`${withdrawn} withdrawn: ${concerned}`], name: 'withdraw' })
    }
    const rotated = await rotateSigningKeys(database, keyring, cliActor(), { withdraw })
    if (!options.dryRun) return showKeys(options, rotated)
    const would = withdraw ? `withdraw ${withdrawn}, and sign with new ones at once` : 'publish the next key of each algorithm'
    showChange(options, { withdraw, keys }, { done: '', would })
  })

const showKeys = (options: CommonOptions, keys: Keys) =>
  showList(options, keys.map(presentSigningKey), ['state', 'alg', 'kid', 'signsFrom', 'retiresAt'], 'signing keys')
