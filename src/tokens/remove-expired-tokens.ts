import { type RawBuilder, sql } from 'kysely'
import type { System } from '../platform/database/database.ts'
import type { Task } from '../platform/jobs/tasks.ts'

const batch = 1_000
const day = 86_400
/** The longest that an answer may be asked for again. */
const answerSeconds = 60

/** Removes what has expired, and the answers that nobody may ask for again. Used codes stay a day longer, to be recognised. */
export const removeExpiredTokens: Task = {
  name: 'remove-expired-tokens',
  everySeconds: 60,
  async run(database) {
    const system = database.system()
    const { now } = system
    const dayAgo = before(now, day)
    const counts = await Promise.all([
      remove(system, 'authorization_requests', 'reference_hash', sql`expires_at < ${now}`),
      remove(system, 'authorization_codes', 'code_hash', sql`expires_at < ${dayAgo}`),
      remove(system, 'refresh_answers', 'family_id, secret_hash', sql`rotated_at < ${before(now, answerSeconds)}`),
      remove(system, 'token_families', 'id', sql`kept_until < ${now}`),
      remove(system, 'revoked_access_tokens', 'jti', sql`expires_at < ${now}`),
    ])
    return counts.some((count) => count >= batch)
  },
}

/** @param key the columns of the primary key after the organisation */
async function remove(system: System, table: string, key: string, condition: RawBuilder<unknown>): Promise<number> {
  const [name, id] = [sql.table(table), sql.raw(key)]
  const { numAffectedRows = 0n } = await sql`
    delete from ${name} where (organisation_id, ${id}) in (
      select organisation_id, ${id} from ${name} where ${condition} limit ${batch})`.execute(system)
  return Number(numAffectedRows)
}

const before = (time: Date, seconds: number) => new Date(time.getTime() - seconds * 1_000)
