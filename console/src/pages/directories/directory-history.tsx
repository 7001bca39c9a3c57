import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { HistoryPanel } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'

/** The history of a directory, which can restore its name. */
export function DirectoryHistory({ directory }: { directory: Directory }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()('PATCH /v1/admin/directories/{id}')
  const restore = async (field: string, value: string) => {
    await answerOf(api.PATCH('/v1/admin/directories/{id}', { params: { path: { id: directory.id } }, body: { [field]: value } }))
    await invalidate(queries, 'directories')
  }
  return (
    <HistoryPanel
      title={t.history}
      about={{ targetId: directory.id }}
      past={{ record: directory, restorable: ['name'], restore: mayChange ? restore : undefined }}
    />
  )
}
