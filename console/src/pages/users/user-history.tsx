import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { UserDetails } from '../../api/users.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { usersTexts as t } from '../../texts/users.ts'

/** What happened to a user, and what they did. */
export function UserHistory({ user }: { user: UserDetails }) {
  const queries = useQueryClient()
  const mayReadAudit = useMay()('GET /v1/admin/audit-logs')
  const mayChange = useMayChange()('PATCH /v1/admin/users/{id}')
  const restore = async (field: string, value: string | null) => {
    await answerOf(api.PATCH('/v1/admin/users/{id}', { params: { path: { id: user.id } }, body: { [field]: value } }))
    await queries.invalidateQueries({ queryKey: ['users'] })
  }
  return (
    <>
      <HistoryPanel
        title={t.aboutThem}
        about={{ targetId: user.id }}
        past={{ record: user, restorable: ['firstName', 'lastName', 'phone'], restore: mayChange ? restore : undefined }}
      />
      {mayReadAudit && <HistoryPanel title={t.byThem} about={{ actorId: user.id }} />}
    </>
  )
}
