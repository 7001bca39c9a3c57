import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** How a sign-in is found. Everything else of it is found by the session and the user that its entries name. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'audit_logs_sign_in_index', on: 'audit_logs (organisation_id, sign_in_id, id) where sign_in_id is not null' },
  { name: 'diagnostics_sign_in_index', on: 'diagnostics (organisation_id, sign_in_id) where sign_in_id is not null' },
]

export async function up(): Promise<void> {}
