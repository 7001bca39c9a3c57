import { sql } from 'kysely'
import { secondsAfter } from '../platform/clock.ts'
import { counted } from '../platform/text.ts'
import { countUnreadableSecrets, encryptedColumns } from '../system/re-encrypt-secrets.ts'
import { listSigningKeys } from '../tokens/rotate-signing-keys.ts'
import { signsForSeconds } from '../tokens/rules.ts'
import { type Check, duration, failure, ok, someOf, warning } from './check.ts'

const dayMilliseconds = 86_400_000
// The task that rotates runs once an hour.
const lateSeconds = 2 * 86_400

const rotation: Check = {
  name: 'signing-keys',
  group: 'keys',
  title: 'Signing keys are rotated in time',
  needsSchema: true,
  async run({ database }) {
    const now = database.clock.now()
    const keys = await listSigningKeys(database)
    const current = keys.filter(({ state }) => state === 'current')
    if (current.length === 0) {
      return failure('No key signs', {
        why: 'No token can be issued',
        remedy: 'Start the service, which makes the first one: `gatehouse serve`',
      })
    }
    const described = current.map(({ algorithm, createdAt, signsFrom }) => {
      const next =
        keys.find((key) => key.algorithm === algorithm && key.state === 'next')?.signsFrom ?? secondsAfter(signsFrom, signsForSeconds)
      const secondsOf = (later: Date, earlier: Date) => (later.getTime() - earlier.getTime()) / 1_000
      return {
        algorithm,
        next,
        late: secondsOf(now, next),
        text: `${algorithm}: ${duration(secondsOf(now, createdAt))} old, the next one from ${next.toISOString().slice(0, 10)}`,
      }
    })
    const seen = described.map(({ text }) => text).join('; ')
    const late = described.filter(({ late }) => late > lateSeconds)
    if (late.length === 0) return ok(seen)
    return warning(
      `${seen}. That is ${late.map(({ late }) => `${Math.floor((late * 1_000) / dayMilliseconds)} days`).join(' and ')} late`,
      {
        why: `A key signs for ${signsForSeconds / 86_400} days, so that one that was stolen does not serve for ever`,
        remedy: 'Let a process with the workers run (`gatehouse serve`), or run `gatehouse keys rotate`',
      },
    )
  },
}

const readable: Check = {
  name: 'signing-keys-readable',
  group: 'keys',
  title: 'Every signing key can be read',
  needsSchema: true,
  async run({ database, keyring }) {
    const { rows } = await sql<{ id: string; privateKeyEncrypted: string }>`
      select id, private_key_encrypted from signing_keys where retires_at is null or retires_at > ${database.clock.now()}
      order by signs_from`.execute(database.system())
    const unreadable = rows.filter(({ id, privateKeyEncrypted }) => {
      try {
        keyring.decrypt(privateKeyEncrypted, id)
        return false
      } catch {
        return true
      }
    })
    if (unreadable.length === 0) return ok(`${counted(rows.length, 'key')}, all under a key of this configuration`)
    return failure(`${unreadable.length} of ${rows.length} cannot be decrypted: ${someOf(unreadable.map(({ id }) => id))}`, {
      why: 'A process that starts cannot sign tokens, nor read other secrets that were stored with the same key',
      remedy: 'Set SECRET_KEY to the key that they were stored with, or SECRET_KEY_PREVIOUS while SECRET_KEY is new',
    })
  },
}

// The keys have a check of their own, and the other secrets end by themselves within days.
const lasting = encryptedColumns.filter(({ table }) => ['mfa_credentials', 'webhook_endpoints', 'connections'].includes(table))

const secretsReadable: Check = {
  name: 'secrets-readable',
  group: 'keys',
  title: 'Every secret of authenticator apps, webhooks and connections can be read',
  needsSchema: true,
  async run({ database, keyring }) {
    const unreadable = await countUnreadableSecrets(database, keyring, lasting)
    if (unreadable === 0) return ok('All are under a key of this configuration')
    return failure(counted(unreadable, 'secret is under another key', 'secrets are under another key'), {
      why: 'Their users cannot sign in by a second factor or a connection, and their webhooks get nothing',
      remedy:
        'If a change of SECRET_KEY was interrupted, stop the service and run `gatehouse secret-key rotate --new-key-file <file with the present SECRET_KEY>` with the key that they are under as SECRET_KEY. If that key is lost, users enrol another second factor, and administrators set the secrets of connections and webhooks anew',
    })
  },
}

export const keyChecks: readonly Check[] = [rotation, readable, secretsReadable]
