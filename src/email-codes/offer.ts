import { sql } from 'kysely'
import { signInSetting } from '../access/sign-in-setting.ts'
import type { Database } from '../platform/database/database.ts'

/** Tells whether the sign-in page offers codes by mail before it knows the organisation. */
export interface EmailCodeOffer {
  /** True when any organisation allowed codes at the last refresh. */
  readonly isMade: boolean
  /** Reads it again. Requests never do: the one that did would take longer than the others. */
  refresh(): Promise<void>
}

/** The interval of the refresh, in case the notice of a changed policy is lost. */
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
        .where(sql<boolean>`${sql.raw(signInSetting('organisations', 'emailCode'))} = 'allowed'`)
        .limit(1)
        .execute()
      isMade = allowing.length > 0
    },
  }
}
