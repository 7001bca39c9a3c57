import { sql } from 'kysely'
import { secondsAfter } from '../platform/clock.ts'
import { countUnreadableSecrets, encryptedColumns } from '../system/re-encrypt-secrets.ts'
import { listSigningKeys } from '../tokens/rotate-signing-keys.ts'
import { signsForSeconds } from '../tokens/rules.ts'
import { type Check, failure, ok, warning } from './check.ts'

const daySeconds = 86_400
// The task that rotates runs once an hour.
const lateSecondsMax = 2 * daySeconds

const rotation: Check = {
  name: 'signing-keys',
  group: 'keys',
  title: 'Signing keys are rotated in time',
  needsSchema: true,
  async run({ database }) {
    const now = database.clock.now()
    const keys = await listSigningKeys(database)
    const current = keys.filter(({ state }) => state === 'current')
    if (current.length === 0) return failure('no-signing-key')
    const secondsOf = (later: Date, earlier: Date) => (later.getTime() - earlier.getTime()) / 1_000
    const described = current.map(({ algorithm, createdAt, signsFrom }) => {
      const next =
        keys.find((key) => key.algorithm === algorithm && key.state === 'next')?.signsFrom ?? secondsAfter(signsFrom, signsForSeconds)
      return { key: { algorithm, ageSeconds: secondsOf(now, createdAt), nextAt: next.toISOString() }, lateSeconds: secondsOf(now, next) }
    })
    const late = described.filter(({ lateSeconds }) => lateSeconds > lateSecondsMax)
    const values = { keys: described.map(({ key }) => key) }
    if (late.length === 0) return ok('signing-keys-in-time', values)
    return warning('signing-keys-late', {
      ...values,
      lateDays: late.map(({ lateSeconds }) => Math.floor(lateSeconds / daySeconds)),
      signsForDays: signsForSeconds / daySeconds,
    })
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
    if (unreadable.length === 0) return ok('signing-keys-readable', { keys: rows.length })
    return failure('signing-keys-unreadable', { keys: unreadable.map(({ id }) => id), of: rows.length })
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
    const secrets = await countUnreadableSecrets(database, keyring, lasting)
    return secrets > 0 ? failure('secrets-unreadable', { secrets }) : ok('secrets-readable')
  },
}

export const keyChecks: readonly Check[] = [rotation, readable, secretsReadable]
