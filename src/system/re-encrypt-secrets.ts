import { sql } from 'kysely'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { Database, System } from '../platform/database/database.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import { forgetTasks, type Task } from '../platform/jobs/tasks.ts'

const batch = 200
const name = 're-encrypt-secrets'

interface EncryptedColumn {
  table: string
  column: string
}

/** The columns with secrets that outlive a change of the key. Each is encrypted with the id of its row as the context. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: 'mfa_credentials', column: 'secret_encrypted' },
  { table: 'webhook_endpoints', column: 'secret_encrypted' },
  { table: 'webhook_endpoints', column: 'previous_secret_encrypted' },
  { table: 'connections', column: 'secret_encrypted' },
  { table: 'connections', column: 'previous_secret_encrypted' },
  { table: 'connections', column: 'next_secret_encrypted' },
  { table: 'sessions', column: 'id_token_encrypted' },
  { table: 'signing_keys', column: 'private_key_encrypted' },
  { table: 'mails', column: 'content_encrypted' },
  { table: 'idempotent_answers', column: 'answer_encrypted' },
]

export interface ReEncryption {
  keyring: Keyring
  onReEncrypted: (count: number) => void
}

/** Re-encrypts secrets of the previous key with the current one, so that the previous key can be removed. */
export const reEncryptSecrets = ({ keyring, onReEncrypted }: ReEncryption): Task => ({
  // Each change of the key is a task of its own, so it is due at once, whenever the previous one ran.
  name: keyring.previousKeyId === undefined ? name : `${name}-from-${keyring.previousKeyId}`,
  everySeconds: 600,
  async run(database) {
    const { previousKeyId } = keyring
    if (previousKeyId === undefined) {
      await forgetTasks(database, `${name}-from-`)
      return false
    }
    const found = await reEncryptSome(database, keyring, previousKeyId)
    if (found > 0) onReEncrypted(found)
    return found > 0
  },
})

/** The number of secrets that are still encrypted with a key. */
export async function countSecretsUnder(database: Database, keyId: string): Promise<number> {
  const counts = encryptedColumns.map(
    ({ table, column }) => sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(column)} like ${`${keyId}.%`})`,
  )
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(database.system())
  return rows[0]?.total ?? 0
}

/** The number of secrets that no key of a keyring decrypts, since they are encrypted with a third one. */
export async function countUnreadableSecrets(
  database: Database,
  { keyId, previousKeyId = keyId }: Keyring,
  columns: readonly EncryptedColumn[] = encryptedColumns,
): Promise<number> {
  const counts = columns.map(({ table, column }) => {
    const encrypted = sql.ref(column)
    return sql<number>`(select count(*) from ${sql.table(table)}
      where ${encrypted} like '%.%' and ${encrypted} not like ${`${keyId}.%`} and ${encrypted} not like ${`${previousKeyId}.%`})`
  })
  const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(database.system())
  return rows[0]?.total ?? 0
}

interface FoundSecret {
  /** The position of its column in the list. */
  place: number
  id: string
  row: string
  encrypted: string
}

/**
 * Re-encrypts some secrets of a key with the current one.
 *
 * @returns how many were found; zero when all are re-encrypted
 * @throws AggregateError when some fail, after all others have been re-encrypted
 */
export async function reEncryptSome(database: Database, keyring: Keyring, keyId: string): Promise<number> {
  let found = 0
  const rows = {
    next: async (after: FoundSecret | undefined) => {
      const secrets = await findSecrets(database.system(), keyId, after)
      found += secrets.length
      return secrets
    },
    failure: ({ place, id }: FoundSecret) => `the secret in ${encryptedColumns[place]?.table} of ${id} could not be re-encrypted`,
    atMost: batch,
  }
  await forEachRow(rows, (secret) => reEncrypt(database.system(), keyring, secret))
  return found
}

/** The next secrets of a key, in the order of the columns and in each of the ids. */
async function findSecrets(
  system: System,
  keyId: string,
  after: FoundSecret = { place: 0, id: '', row: '', encrypted: '' },
): Promise<FoundSecret[]> {
  for (let place = after.place; place < encryptedColumns.length; place++) {
    const { table, column } = encryptedColumns[place] as EncryptedColumn
    const encrypted = sql.ref(column)
    const { rows } = await sql<FoundSecret>`
      select ${place}::integer as place, id, ctid::text as row, ${encrypted} as encrypted from ${sql.table(table)}
      where ${encrypted} like ${`${keyId}.%`} and id > ${place === after.place ? after.id : ''}
      order by id limit ${batch}`.execute(system)
    if (rows.length > 0) return rows
  }
  return []
}

async function reEncrypt(system: System, keyring: Keyring, { place, id, row, encrypted }: FoundSecret): Promise<void> {
  const { table, column } = encryptedColumns[place] as EncryptedColumn
  const renewed = keyring.encrypt(keyring.decrypt(encrypted, id), id)
  // A secret that was rotated meanwhile is already under the current key.
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${renewed} where ctid = ${row}::tid and ${sql.ref(column)} = ${encrypted}`.execute(
    system,
  )
}
