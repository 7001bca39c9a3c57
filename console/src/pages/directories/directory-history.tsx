import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'

/** The history of a directory, which can restore its name. */
export function DirectoryHistory({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/directories/{id}')
  const restore = useRestore(mayChange, 'directories', (body) =>
    answerOf(api.PATCH('/v1/admin/directories/{id}', { params: { path: { id: directory.id }, header: conditionOf(tag) }, body })),
  )
  return <HistoryPanel title={t.history} about={{ targetId: directory.id }} past={{ record: directory, restorable: ['name'], restore }} />
}
