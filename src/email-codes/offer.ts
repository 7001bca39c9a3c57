import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

/** Whether a page that may be for anybody offers codes by mail. Where no organisation allows them, they would never come. */
export interface EmailCodeOffer {
  /** True when an organisation signed users in by codes at the last look. */
  readonly isMade: boolean
  /** Looks again. No visit of the page does, as it would take longer than the others. */
  refresh(): Promise<void>
}

export const offerRefreshMilliseconds = 60_000

export function createEmailCodeOffer(database: Database): EmailCodeOffer {
  let isMade = false
  return {
    get isMade() {
      return isMade
    },
    async refresh() {
      const system = database.system()
      const allowing = await system
        .selectFrom('organisations')
        .select('id')
        .where(sql<boolean>`sign_in_policy->>'emailCode' = 'allowed'`)
        .limit(1)
        .execute()
      isMade = allowing.length > 0
    },
  }
}
