import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The organisations with more users than a number, for the doctor: without it, that takes longer with each organisation. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'record_counts_users_index', on: "record_counts (count) where records = 'users'" },
]

export async function up(): Promise<void> {}
