import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The changes of addresses, which are few, to find who had an address before: without it, they are looked for among all entries about users. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'audit_logs_former_addresses_index',
    on: "audit_logs (organisation_id, target_id) where target_type = 'user' and changes #>> '{email,from}' is not null",
  },
]

export async function up(): Promise<void> {}
