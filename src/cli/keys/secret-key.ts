import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { recordForWholeDatabase } from '../../activity/record-for-every-organisation.ts'
import type { Config } from '../../app/config.ts'
import { parseSecretKey, secretKeyExpected } from '../../platform/crypto/secret-key.ts'
import type { Engine, EngineTransaction } from '../../platform/database/engine.ts'
import { meetsLockWithinMilliseconds } from '../../platform/database/listener.ts'
import { tryLockUntilCommit } from '../../platform/database/locks-and-channels.ts'
import { counted } from '../../platform/text.ts'
import { countSecretsUnder, countUnreadableSecrets, reEncryptSome } from '../../system/re-encrypt-secrets.ts'
import { cliActor } from '../actor.ts'
import { type ConfirmOptions, wrongUse } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { showChange } from '../output.ts'
import { showProgress } from '../progress.ts'
import { readNamedFile } from '../read-named-file.ts'
import { type Keys, withServices } from '../with-services.ts'

interface RotateOptions extends ConfirmOptions {
  newKeyFile?: string
  leaveUnreadable?: boolean
}

/** Re-encrypts every stored secret with another key: the key in a file, or `SECRET_KEY` if `SECRET_KEY_PREVIOUS` is set. */
export async function rotate({ newKeyFile, leaveUnreadable = false, yes, ...options }: RotateOptions, command: Command): Promise<void> {
  const newKey = newKeyFile === undefined ? undefined : await readKey(newKeyFile)
  // If only this command's environment had the key, it would be lost afterwards.
  if (newKeyFile === undefined && !yes && !options.dryRun)
    wrongUse(
      command,
      'Store the new key in a file, and name it with --new-key-file, or say with --yes that the one in SECRET_KEY is stored',
    )
  let servesWithBoth = false
  const keysOf = (config: Config, present: Buffer) => {
    servesWithBoth = config.previousSecretKey !== undefined
    return keysFor(config, present, newKey)
  }
  await withServices({ ...options, keysOf, isAlone: true }, async ({ services: { database, keyring }, engine }) => {
    const { previousKeyId } = keyring
    if (previousKeyId === undefined) throw new CommandFailure('The new key is the one that secrets are encrypted with already')
    const hold = servesWithBoth ? withService : database.isEmbedded || options.dryRun ? onceWithoutService(engine) : withoutService(engine)
    await hold(async (stillHeld) => {
      const unreadable = await countUnreadableSecrets(database, keyring)
      if (unreadable > 0 && !leaveUnreadable) throw new CommandFailure(unfinished(unreadable))
      const total = await countSecretsUnder(database, previousKeyId)
      if (options.dryRun)
        return showChange(
          options,
          { total },
          { done: '', would: `re-encrypt ${counted(total, 'secret')} that ${total === 1 ? 'is' : 'are'} under the former key` },
        )
      const progress = showProgress('secrets', total)
      let done = 0
      // Each batch is committed by itself, so the next run continues an interrupted one.
      for (let found = 1; found > 0; done += found, progress.at(done)) {
        await stillHeld()
        found = await reEncryptSome(database, keyring, previousKeyId)
      }
      progress.end()
      const left = await countSecretsUnder(database, previousKeyId)
      if (done > 0) {
        const rotated = { action: 'secret_key.rotated', metadata: { reEncrypted: done, left } } as const
        await database.systemTransaction((system) => recordForWholeDatabase(system, cliActor(), rotated))
      }
      const lines = [
        `Re-encrypted ${counted(done, 'secret')}, ${left} ${left === 1 ? 'is' : 'are'} left under the former key`,
        left > 0 ? 'Run this again' : next(newKeyFile),
      ]
      showChange(options, { reEncrypted: done, left, newKeyFile: newKeyFile ?? null }, { done: lines.join('\n'), would: '' })
    })
  })
}

const next = (newKeyFile: string | undefined) =>
  newKeyFile === undefined
    ? 'SECRET_KEY_PREVIOUS can be removed once no process of the service runs without the new SECRET_KEY'
    : `Set SECRET_KEY to what ${newKeyFile} holds for the service and for commands, and keep that file as secret as the former key: nothing else reads the secrets now`

/** Runs work that calls `stillHeld` before each of its steps: it throws once the service is not held out any more. */
type Hold = (work: (stillHeld: () => Promise<unknown>) => Promise<void>) => Promise<void>

/** A service that has both keys reads what is under either. */
const withService: Hold = (work) => work(async () => {})

/** Holds the service out until the work is done. With one of the two keys it could not read the secrets, and would write others under the former key. */
const withoutService =
  (engine: Engine): Hold =>
  (work) =>
    engine.ownerTransaction(async (transaction) => {
      const stillHeld = () => refuseRunning(transaction)
      await stillHeld()
      // A service that has just lost the connection by which it shares the lock still writes, until it meets the lock when it connects again.
      await pause(meetsLockWithinMilliseconds)
      await work(stillHeld)
    })

/** The same where nothing is written, or where this process has the database for itself: a transaction would hold out its own work. */
const onceWithoutService =
  (engine: Engine): Hold =>
  async (work) => {
    await engine.ownerTransaction(refuseRunning)
    await work(async () => {})
  }

async function refuseRunning(transaction: EngineTransaction): Promise<void> {
  if (await tryLockUntilCommit(transaction, 'service')) return
  throw new CommandFailure(
    'The service is running on the database, with one of the two keys: stop all of its processes, run this again, and start them with the new key. Without a stop, the service needs both keys first: set SECRET_KEY_PREVIOUS as well',
  )
}

const unfinished = (unreadable: number) =>
  `${counted(unreadable, 'stored secret is', 'stored secrets are')} under neither of the two keys, probably since an earlier change was interrupted: finish that first, with its own new key. If that key is lost, --leave-unreadable leaves ${unreadable === 1 ? 'that one' : 'those'} as ${unreadable === 1 ? 'it is' : 'they are'}`

/** @throws CommandFailure unless exactly one former key is known */
function keysFor({ previousSecretKey }: Config, present: Buffer, newKey: Buffer | undefined): Keys {
  if (newKey !== undefined && !newKey.equals(present)) {
    if (previousSecretKey && !previousSecretKey.equals(newKey))
      throw new CommandFailure('SECRET_KEY_PREVIOUS is set: finish that change with SECRET_KEY, and unset it, before the next')
    return { secretKey: newKey, previousSecretKey: present }
  }
  if (!previousSecretKey) {
    throw new CommandFailure(
      newKey === undefined
        ? 'SECRET_KEY_PREVIOUS is not set: name the new key with --new-key-file while SECRET_KEY is the present one, or set both variables'
        : '--new-key-file holds the key that SECRET_KEY is: set SECRET_KEY_PREVIOUS to the former one, or SECRET_KEY to the present one',
    )
  }
  return { secretKey: present, previousSecretKey }
}

async function readKey(file: string): Promise<Buffer> {
  const text = await readNamedFile(file, { hint: `. Make it by \`openssl rand -base64 32 > ${file}\`` })
  const key = parseSecretKey(text.trim())
  if (!key) throw new CommandFailure(`${file} is not usable and must hold ${secretKeyExpected}`)
  return key
}
