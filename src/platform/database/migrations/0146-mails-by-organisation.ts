import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The mails to be sent of each organisation, in their order: organisations take turns, however many mails one of them has queued. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  {
    name: 'mails_queue_index',
    on: 'mails (organisation_id, is_awaited desc, next_attempt_at) where next_attempt_at is not null',
  },
]

export async function up(): Promise<void> {}
