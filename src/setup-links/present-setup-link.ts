import { presentTime } from '../platform/http/fields.ts'
import type { SetupLink } from './queries.ts'
import { stateOf } from './rules.ts'
import type { SetupLinkRecord } from './schemas.ts'

export type { SetupLink }

export const presentSetupLink = (link: SetupLink, now: Date): SetupLinkRecord => ({
  id: link.id,
  name: link.name,
  purposes: link.purposes,
  state: stateOf(link, now),
  activate: link.activate,
  settings: link.settings,
  connectionId: link.connectionId,
  domainId: link.domainId,
  directoryId: link.directoryId,
  createdById: link.createdById,
  firstUsedAt: presentTime(link.firstUsedAt),
  lastUsedAt: presentTime(link.lastUsedAt),
  lastIpAddress: link.lastIpAddress,
  testedAt: presentTime(link.testedAt),
  finishedAt: presentTime(link.finishedAt),
  activatedAt: presentTime(link.activatedAt),
  endedAt: presentTime(link.endedAt),
  endedBecause: link.endedBecause,
  expiresAt: presentTime(link.expiresAt),
  createdAt: presentTime(link.createdAt),
})

/** Presents a link for the audit log: what was decided, without what its visitor does. */
export const setupLinkInHistory = ({ id, name, purposes, activate, settings, expiresAt, createdAt }: SetupLink) => ({
  ...{ id, name, purposes, activate, settings },
  expiresAt: presentTime(expiresAt),
  createdAt: presentTime(createdAt),
})
