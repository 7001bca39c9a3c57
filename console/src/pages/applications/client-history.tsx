import { useQueryClient } from '@tanstack/react-query'
import { type Client, changeClient } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import type { AddressField } from '../../parts/new-host.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useHostQuestion } from '../../parts/use-host-question.tsx'
import { applicationTexts as t } from '../../texts/application.ts'
import { restorable } from './client-fields.ts'

/** The history of an application, which can restore its fields. */
export function ClientHistory({ client, tag }: { client: Client; tag: string | undefined }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/clients/{id}')
  const { askAboutHosts, question } = useHostQuestion()
  const restore = async (field: string, value: never) => {
    if (field === 'redirectUris' || field === 'postLogoutRedirectUris') {
      const name: AddressField = field
      if (!(await askAboutHosts({ field: name, application: client.name, uris: value, known: client[name] }))) return
    }
    await changeClient(client.id, { [field]: value }, tag)
    await invalidate(queries, 'clients')
  }
  return (
    <>
      <HistoryPanel
        title={t.history}
        about={{ targetId: client.id }}
        past={{ record: client, restorable, restore: mayChange ? restore : undefined }}
      />
      {question}
    </>
  )
}
