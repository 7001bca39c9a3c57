import type { RateLimits } from '../access/rate-limits.ts'
import { type Origin, systemActor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { secondsAfter } from '../platform/clock.ts'
import { hashSecret, newSecret } from '../platform/crypto/secrets.ts'
import type { Database, Tenant } from '../platform/database/database.ts'
import { endSetupLink } from './end-setup-link.ts'
import { type Judgement, judge } from './judge.ts'
import { setupLinkInHistory } from './present-setup-link.ts'
import { lockSetupLink, type SetupLink, setupLinkByToken, setupLinkByVisit, updateSetupLink } from './queries.ts'
import { invalidSetupLink } from './refusals.ts'

/** How long a browser may pause, at most. */
export const visitSeconds = 2 * 3_600

export interface SetupVisits {
  database: Database
  limits: Pick<RateLimits, 'setupRequestsByAddress' | 'setupTokensByAddress'>
}

/**
 * Exchanges the token of a link for the value of a cookie. The link is then used in this browser; in another one it has to be opened again.
 *
 * @throws Problem `bad-request` for a token that is unknown or no longer works; `too-many-requests` after five of them
 */
export async function openSetupLink({ database, limits }: SetupVisits, token: string, origin: Origin): Promise<string> {
  const address = origin.ipAddress ?? ''
  await limits.setupTokensByAddress.count(address)
  const found = await database.pointRead(setupLinkByToken, { tokenHash: hashSecret(token) })
  const visit = newSecret()
  const isOpened =
    found !== undefined &&
    (await database.transaction(found.organisationId, async (tenant) => {
      const link = await lockSetupLink(tenant, found.id)
      const judgement = await judgeOpen(tenant, link, origin)
      if (!judgement?.stands) return false
      await noteUse(tenant, link, origin, visit)
      await record(tenant, judgement.caller.actor, { action: 'setup_link.used', setup_link: setupLinkInHistory(link) })
      return true
    }))
  if (!isOpened) throw invalidSetupLink()
  await limits.setupTokensByAddress.release(address)
  return visit
}

export type SetupVisit = { link: SetupLink } & (Extract<Judgement, { stands: true }> | { stands: 'finished' })

/**
 * The link that a browser has opened. It is asked with every request whether it still stands, and ended for good when it does not.
 *
 * @throws Problem `bad-request` without a link, or for one that no longer works
 */
export async function findSetupVisit({ database }: SetupVisits, cookie: string | undefined, origin: Origin): Promise<SetupVisit> {
  const now = database.clock.now()
  const found = cookie === undefined ? undefined : await database.pointRead(setupLinkByVisit, { visitHash: hashSecret(cookie), now })
  if (!found) throw invalidSetupLink()
  const visit = await database.transaction(found.organisationId, async (tenant): Promise<SetupVisit | undefined> => {
    const link = await lockSetupLink(tenant, found.id)
    if (link.finishedAt) return { link, stands: 'finished' }
    const judgement = await judgeOpen(tenant, link, origin)
    return judgement?.stands ? { link: await noteUse(tenant, link, origin), ...judgement } : undefined
  })
  // Only now: thrown inside, it would undo the end of the link.
  if (!visit) throw invalidSetupLink()
  return visit
}

/** Judges a link whose row is locked, and ends it when it no longer stands; undefined for one that has ended or is finished. */
export async function judgeOpen(tenant: Tenant, link: SetupLink, origin?: Origin): Promise<Judgement | undefined> {
  if (link.finishedAt || link.endedAt) return undefined
  const judgement = await judge(tenant, link, origin)
  if (!judgement.stands) await endSetupLink(tenant, systemActor, link, judgement.because)
  return judgement
}

const noteUse = (tenant: Tenant, link: SetupLink, { ipAddress }: Origin, visit?: string): Promise<SetupLink> =>
  updateSetupLink(tenant, link.id, {
    ...(visit !== undefined && { visitHash: hashSecret(visit) }),
    visitExpiresAt: secondsAfter(tenant.now, visitSeconds),
    firstUsedAt: link.firstUsedAt ?? tenant.now,
    lastUsedAt: tenant.now,
    lastIpAddress: ipAddress,
  })
