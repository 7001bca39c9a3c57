import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'

/** The history of a resource server, which can restore its name. */
export function ResourceHistory({ server }: { server: ResourceServer }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/resource-servers/{id}')
  const restore = async (field: string, value: string) => {
    await answerOf(api.PATCH('/v1/admin/resource-servers/{id}', { params: { path: { id: server.id } }, body: { [field]: value } }))
    await invalidate(queries, 'resource-servers')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: server.id }}
      past={{ record: server, restorable: ['name'], restore: mayChange ? restore : undefined }}
    />
  )
}
