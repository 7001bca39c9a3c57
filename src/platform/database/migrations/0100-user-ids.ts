import type { ConcurrentIndex } from '../concurrent-indexes.ts'

/** The id of a user is the `sub` of their tokens, which is unique in the installation (OpenID Connect Core §2), not in the organisation alone. */
export const concurrentIndexes: readonly ConcurrentIndex[] = [{ name: 'users_id_key', on: 'users (id)', isUnique: true }]

export async function up(): Promise<void> {}
