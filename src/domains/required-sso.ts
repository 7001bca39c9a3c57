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
  /**
   * Reads both again once the change of this request is committed. The change stands if that fails: its notice, which every process gets, has
   * them read again.
   */
  follow(): Promise<void>
}

/** The interval of the refresh, in case the notice of a changed domain is lost. */
export const requiredSsoRefreshMilliseconds = 60_000

/** @param onError called when they could not be read after a change */
export function createRequiredSso(database: Database, onError: (error: unknown) => void): RequiredSso {
  let use = { requires: true, leads: false }
  const requiredSso: RequiredSso = {
    get isAny() {
      return use.requires
    },
    get leadsAny() {
      return use.leads
    },
    async refresh() {
      use = await findUseOfDomains(database.system())
    },
    follow: () => database.afterCommit(() => requiredSso.refresh().catch(onError)),
  }
  return requiredSso
}
