import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** By it the waiting requests of a client are counted. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'authorization_requests_pushed_by_index',
    on: 'authorization_requests (organisation_id, pushed_by, created_at) where pushed_by is not null',
  },
]

export async function up(): Promise<void> {
  // The index is all.
}
