import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { UserDetails } from '../../api/users.ts'
import { SuspendedHistoryPanel, useHistory } from '../../parts/history-panel.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { usersTexts as t } from '../../texts/users.ts'

/** The history of a user, and of their own actions. */
export function UserHistory({ user }: { user: UserDetails }) {
  const queries = useQueryClient()
  const mayReadAudit = useMay()('GET /v1/admin/audit-logs')
  const mayChange = useMayChange()('PATCH /v1/admin/users/{id}')
  const restore = async (field: string, value: string | null) => {
    await answerOf(api.PATCH('/v1/admin/users/{id}', { params: { path: { id: user.id } }, body: { [field]: value } }))
    await invalidate(queries, 'users')
  }
  const about = { targetId: user.id }
  const by = { actorId: user.id }
  const isLoading = [useHistory(about).isLoading, useHistory(by).isLoading].some(Boolean)
  // Otherwise the first panel would push the second away.
  if (isLoading) return <ListSkeleton columns={2} />
  return (
    <Suspense fallback={<ListSkeleton columns={2} />}>
      <SuspendedHistoryPanel
        title={t.aboutThem}
        about={about}
        past={{ record: user, restorable: ['firstName', 'lastName', 'phone'], restore: mayChange ? restore : undefined }}
      />
      {mayReadAudit && <SuspendedHistoryPanel title={t.byThem} about={by} />}
    </Suspense>
  )
}
