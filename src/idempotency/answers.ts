import { sql } from 'kysely'
import type { Keyring } from '../platform/crypto/keyring.ts'
import type { System } from '../platform/database/database.ts'
import { deleteBatch } from '../platform/database/delete-batch.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const keptHours = 24

/** The answer to a request, as it is sent again. It may hold a secret that is shown once. */
export interface Answer {
  /** A hash of the method, the address and the body of the request. */
  request: string
  status: number
  headers: Record<string, string>
  body: string
}

/** @param id a hash of the caller and the key */
export async function findAnswer(system: System, keyring: Keyring, id: string): Promise<Answer | undefined> {
  const found = await system
    .selectFrom('idempotentAnswers')
    .select('answerEncrypted')
    .where('id', '=', id)
    .where('expiresAt', '>', system.now)
    .executeTakeFirst()
  return found && (JSON.parse(keyring.decrypt(found.answerEncrypted, id)) as Answer)
}

/** Stores an answer in the place of an expired one. */
export async function storeAnswer(system: System, keyring: Keyring, id: string, answer: Answer): Promise<void> {
  const answerEncrypted = keyring.encrypt(JSON.stringify(answer), id)
  const expiresAt = new Date(system.now.getTime() + keptHours * 3_600_000)
  await system
    .insertInto('idempotentAnswers')
    .values({ id, answerEncrypted, expiresAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ answerEncrypted, expiresAt }))
    .execute()
}

export const removeExpiredAnswers: Task = {
  name: 'remove-expired-answers',
  everySeconds: 3_600,
  async run(database) {
    const system = database.system()
    return deleteBatch(system, 'idempotent_answers', sql`expires_at < ${system.now}`)
  },
}
