import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** Whether a page that may be for anybody offers codes by mail. */
export interface EmailCodeOffer {
  /** True when any organisation signs users in by them, or did a minute ago. */
  isMade(): Promise<boolean>
}

const keptMilliseconds = 60_000

/** Where no organisation allows codes, nobody is offered what would never come. One visit a minute pays for finding that out. */
export function createEmailCodeOffer(database: Database): EmailCodeOffer {
  let isMade = false
  let readAt = Number.NEGATIVE_INFINITY
  return {
    async isMade() {
      const now = database.clock.now().getTime()
      if (now - readAt >= keptMilliseconds) {
        readAt = now
        isMade = await isAllowedAnywhere(database)
      }
      return isMade
    },
  }
}

async function isAllowedAnywhere(database: Database): Promise<boolean> {
  const system = database.system()
  const found = await system
    .selectFrom('organisations')
    .select('id')
    .where(sql<boolean>`sign_in_policy->>'emailCode' = 'allowed'`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
