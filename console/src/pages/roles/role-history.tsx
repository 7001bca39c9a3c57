import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Role } from '../../api/roles.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { rolesTexts as t } from '../../texts/roles.ts'
import { useWhyLocked } from './why-locked.ts'

/** The history of a role, which can restore its name and description. */
export function RoleHistory({ role, tag }: { role: Role; tag: string | undefined }) {
  const whyLocked = useWhyLocked('PATCH /v1/admin/roles/{id}')(role)
  const restore = useRestore(whyLocked === undefined, 'roles', (body) =>
    answerOf(api.PATCH('/v1/admin/roles/{id}', { params: { path: { id: role.id }, header: conditionOf(tag) }, body })),
  )
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: role.id }}
      // The settings restore permissions, since they show the impact first.
      past={{ record: role, restorable: ['name', 'description'], restore }}
    />
  )
}
