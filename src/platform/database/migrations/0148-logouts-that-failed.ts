import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** Failed and failing deliveries are few and looked for, as those of webhooks are. Those that succeed at once never enter the indexes. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'logout_deliveries_failed_index', on: "logout_deliveries (organisation_id, client_id, id) where status = 'failed'" },
  {
    name: 'logout_deliveries_failing_index',
    on: "logout_deliveries (organisation_id, client_id, id) where status = 'pending' and attempt_count > 0",
  },
]

export async function up(): Promise<void> {}
