import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'

/** The history of a resource server, which can restore its name. */
export function ResourceHistory({ server, tag }: { server: ResourceServer; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/resource-servers/{id}')
  const restore = useRestore(mayChange, 'resource-servers', (body) =>
    answerOf(api.PATCH('/v1/admin/resource-servers/{id}', { params: { path: { id: server.id }, header: conditionOf(tag) }, body })),
  )
  return <HistoryPanel title={t.history} about={{ targetId: server.id }} past={{ record: server, restorable: ['name'], restore }} />
}
