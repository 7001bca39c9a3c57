import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The consents of a deleted client, and those that have ended, for the task that removes them: without these, each batch reads all. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'consents_client_index', on: 'consents (organisation_id, client_id)' },
  { name: 'consents_expires_at_index', on: 'consents (expires_at) where expires_at is not null' },
  { name: 'resource_consents_expires_at_index', on: 'resource_consents (expires_at) where expires_at is not null' },
]

export async function up(): Promise<void> {}
