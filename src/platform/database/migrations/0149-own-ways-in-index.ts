import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** What users have done to their passkeys and linked accounts, for their own activity: without it, that reads all that an administrator has done. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'audit_logs_own_ways_in_index',
    on: `audit_logs (organisation_id, actor_id, id)
      where action in ('passkey.registered', 'passkey.deleted', 'passkey.clone_suspected', 'identity.linked', 'identity.unlinked')`,
  },
]

export async function up(): Promise<void> {}
