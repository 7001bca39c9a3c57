import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The accounts of other organisations in a domain are counted with each list of domains. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [
  { name: 'users_email_domain_index', on: "users (split_part(email, '@', 2), organisation_id, id)" },
]

export async function up(): Promise<void> {}
