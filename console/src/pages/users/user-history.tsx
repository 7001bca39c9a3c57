import { Suspense } from 'react'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { UserDetails } from '../../api/users.ts'
import { SuspendedHistoryPanel, useHistory, useRestore } from '../../parts/history-panel.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { usersTexts as t } from '../../texts/users.ts'

/** The history of a user, and of their own actions. */
export function UserHistory({ user, tag }: { user: UserDetails; tag: string | undefined }) {
  const mayReadAudit = useMay()('GET /v1/admin/audit-logs')
  const mayChange = useMayChange()('PATCH /v1/admin/users/{id}')
  const restore = useRestore(mayChange, 'users', (body) =>
    answerOf(api.PATCH('/v1/admin/users/{id}', { params: { path: { id: user.id }, header: conditionOf(tag) }, body })),
  )
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
        past={{ record: user, restorable: ['firstName', 'lastName', 'phone'], restore }}
      />
      {mayReadAudit && <SuspendedHistoryPanel title={t.byThem} about={by} />}
    </Suspense>
  )
}
