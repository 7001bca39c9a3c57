import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { readLastError } from './last-error.ts'
import type { Directory, StoredToken, WholeDirectory } from './queries.ts'
import { DirectoryChanges, type DirectoryRecord, type DirectoryToken } from './schemas.ts'

/** The address that a directory has to know. Each directory has its own. */
const baseUrlOf = (publicUrl: string, directoryId: string): string => `${publicUrl}/scim/v2/${directoryId}`

const presentSettings = (directory: Directory) => ({
  id: directory.id,
  name: directory.name,
  isActive: directory.isActive,
  connectionId: directory.connectionId,
  userMatch: directory.userMatch,
  emailChanges: directory.emailChanges,
  deletes: directory.deletes,
  groups: directory.groups,
  groupMappings: directory.groupMappings,
  createdAt: presentTime(directory.createdAt),
  updatedAt: presentTime(directory.updatedAt),
})

export const presentToken = ({ id, prefix, expiresAt, lastUsedAt, createdAt }: StoredToken): DirectoryToken => ({
  id,
  prefix,
  expiresAt: presentTime(expiresAt),
  lastUsedAt: presentTime(lastUsedAt),
  createdAt: presentTime(createdAt),
})

export const presentDirectory = ({ directory, tokens, counts }: WholeDirectory, publicUrl: string): DirectoryRecord => ({
  ...presentSettings(directory),
  baseUrl: baseUrlOf(publicUrl, directory.id),
  tokens: tokens.map(presentToken),
  counts,
  lastRequestAt: presentTime(directory.lastRequestAt),
  status: presentStatus(directory),
})

/** Whether a directory works, and why its last request was refused. */
export function presentStatus({ failingSince, lastError }: Pick<Directory, 'failingSince' | 'lastError'>): DirectoryRecord['status'] {
  const { error, reason } = readLastError(lastError) ?? { error: null, reason: null }
  return { state: failingSince === null ? 'ok' : 'failing', since: presentTime(failingSince), error, reason }
}

/** Presents a directory for the audit log and events: its settings, without what its requests change. */
export const directoryInHistory = presentSettings

/** The settings alone make the version: requests of the directory do not refuse an administrator's change. */
export const directoryVersion = defineVersion<ReturnType<typeof presentSettings>>(Object.keys(DirectoryChanges.shape))
