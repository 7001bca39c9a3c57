import type { Database } from '../platform/database/database.ts'
import { findUseOfDomains } from './queries.ts'

/** Tells whether a sign-in has to check the domain of its address at all. */
export interface RequiredSso {
  /** True when any organisation required single sign-on at the last refresh, or before the first refresh. */
  readonly isAny: boolean
  /** Whether any organisation sent the users of a domain to a connection at the last refresh, required or not. */
  readonly leadsAny: boolean
  /** Reads both again. */
  refresh(): Promise<void>
}

/** The interval of the refresh, in case the notice of a changed domain is lost. */
export const requiredSsoRefreshMilliseconds = 60_000

export function createRequiredSso(database: Database): RequiredSso {
  let use = { requires: true, leads: false }
  return {
    get isAny() {
      return use.requires
    },
    get leadsAny() {
      return use.leads
    },
    async refresh() {
      use = await findUseOfDomains(database.system())
    },
  }
}
