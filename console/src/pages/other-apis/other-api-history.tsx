import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'

/** The history of an entry, which can restore its name. */
export function OtherApiHistory({ server, tag }: { server: AuthorizationServer; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/resource-authorization-servers/{id}')
  const restore = useRestore(mayChange, 'resource-authorization-servers', (body) =>
    answerOf(
      api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params: { path: { id: server.id }, header: conditionOf(tag) }, body }),
    ),
  )
  return <HistoryPanel title={t.history} about={{ targetId: server.id }} past={{ record: server, restorable: ['name'], restore }} />
}
