import type { Database } from '../platform/database/database.ts'
import { isAnyRequired } from './queries.ts'

/** Whether a sign-in has to ask about the domain of its address at all. */
export interface RequiredSso {
  /** True when any organisation required single sign-on at the last refresh, or there was none yet. */
  readonly isAny: boolean
  /** Reads it again. */
  refresh(): Promise<void>
}

/** For the case that a notice of a changed domain is lost. */
export const requiredSsoRefreshMilliseconds = 60_000

export function createRequiredSso(database: Database): RequiredSso {
  let isAny = true
  return {
    get isAny() {
      return isAny
    },
    async refresh() {
      isAny = await isAnyRequired(database.system())
    },
  }
}
