import { Download } from 'lucide-react'
import { download } from '../../api/client.ts'
import { useListState } from '../../parts/list-state.ts'
import { saveAs } from '../../parts/save-as.ts'
import { useAction } from '../../parts/use-submit.ts'
import { auditTexts as t } from '../../texts/audit.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

const filters = ['actorId', 'clientId', 'targetId', 'targetType', 'email', 'ipAddress', 'requestId', 'from', 'to']

/** Saves all entries that match the filters, on this page and the others. */
export function ExportAudit() {
  const { search } = useListState()
  const run = useAction(
    async (format: 'csv' | 'ndjson') => {
      const actions = search.action?.split(',').map((action) => ['action', action]) ?? []
      const chosen = filters.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))
      const response = await download(`/v1/admin/audit-logs/export?${new URLSearchParams([...actions, ...chosen, ['format', format]])}`)
      await saveAs(response, `audit-logs-${new Date().toISOString().slice(0, 10)}.${format}`)
    },
    { done: t.exported },
  )
  return (
    <Menu
      label={t.export}
      trigger={
        <Button icon={Download} busy={run.busy}>
          {t.export}
        </Button>
      }
      items={[
        { label: t.exportCsv, onSelect: () => void run.run('csv') },
        { label: t.exportNdjson, onSelect: () => void run.run('ndjson') },
      ]}
    />
  )
}
