import type { QueryClient } from '@tanstack/react-query'
import type { KindName, Kinds } from '../../../shared/kinds.ts'

/** What a cached response is about: the first word of its key. */
type Subject =
  | Kinds[KindName]['path']
  | 'audit'
  | 'client-impact'
  | 'diagnostics'
  | 'events'
  | 'me'
  | 'organisation'
  | 'permissions'
  | 'profile'
  | 'review'
  | 'search'
  | 'service'
  | 'sign-in-check'
  | 'sign-ins'
  | 'statistics'
  | 'undo'

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [Subject, ...(readonly unknown[])]
  }
}

/** What else shows records of a kind, or counts them. */
const shownIn: Partial<Record<Subject, readonly Subject[]>> = {
  'api-keys': ['statistics'],
  clients: ['statistics'],
  invitations: ['statistics'],
  organisation: ['profile'],
  roles: ['statistics', 'users', 'profile'],
  teams: ['users'],
  users: ['statistics', 'profile'],
  webhooks: ['statistics'],
}

/** Reads again, after a change of a record, what the page shows of such records. */
export async function invalidate(queries: QueryClient, changed: Subject): Promise<void> {
  await Promise.all([changed, ...(shownIn[changed] ?? [])].map((subject) => queries.invalidateQueries({ queryKey: [subject] })))
}
