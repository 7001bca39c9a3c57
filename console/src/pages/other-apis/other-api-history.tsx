import { useQueryClient } from '@tanstack/react-query'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'

/** The history of an entry, which can restore its name. */
export function OtherApiHistory({ server }: { server: AuthorizationServer }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/resource-authorization-servers/{id}')
  const restore = async (field: string, value: string) => {
    await answerOf(
      api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params: { path: { id: server.id } }, body: { [field]: value } }),
    )
    await invalidate(queries, 'resource-authorization-servers')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: server.id }}
      past={{ record: server, restorable: ['name'], restore: mayChange ? restore : undefined }}
    />
  )
}
