import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { Role } from '../../api/roles.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { rolesTexts as t } from '../../texts/roles.ts'
import { useWhyLocked } from './why-locked.ts'

/** The history of a role, which can restore its name and description. */
export function RoleHistory({ role }: { role: Role }) {
  const queries = useQueryClient()
  const whyLocked = useWhyLocked('PATCH /v1/admin/roles/{id}')(role)
  const restore = async (field: string, value: string) => {
    await answerOf(api.PATCH('/v1/admin/roles/{id}', { params: { path: { id: role.id } }, body: { [field]: value } }))
    await invalidate(queries, 'roles')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: role.id }}
      // The settings restore permissions, since they show the impact first.
      past={{ record: role, restorable: ['name', 'description'], restore: whyLocked === undefined ? restore : undefined }}
    />
  )
}
