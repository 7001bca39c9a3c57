import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { Connection } from '../../api/connections.ts'
import { invalidate } from '../../api/keys.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'

/** The history of a connection, which can restore its name. */
export function ConnectionHistory({ connection }: { connection: Connection }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/connections/{id}')
  const restore = async (field: string, value: string) => {
    await answerOf(api.PATCH('/v1/admin/connections/{id}', { params: { path: { id: connection.id } }, body: { [field]: value } }))
    await invalidate(queries, 'connections')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: connection.id }}
      past={{ record: connection, restorable: ['name'], restore: mayChange ? restore : undefined }}
    />
  )
}
