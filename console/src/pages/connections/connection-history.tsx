import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Connection } from '../../api/connections.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { connectionsTexts as t } from '../../texts/connections.ts'

/** The history of a connection, which can restore its name. */
export function ConnectionHistory({ connection, tag }: { connection: Connection; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/connections/{id}')
  const restore = useRestore(mayChange, 'connections', (body) =>
    answerOf(api.PATCH('/v1/admin/connections/{id}', { params: { path: { id: connection.id }, header: conditionOf(tag) }, body })),
  )
  return <HistoryPanel title={t.history} about={{ targetId: connection.id }} past={{ record: connection, restorable: ['name'], restore }} />
}
