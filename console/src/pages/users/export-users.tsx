import { Download } from 'lucide-react'
import { download } from '../../api/client.ts'
import type { Filter } from '../../parts/filter-bar.tsx'
import { useListState } from '../../parts/list-state.ts'
import { saveAs } from '../../parts/save-as.ts'
import { useAction } from '../../parts/use-submit.ts'
import { usersTexts as t } from '../../texts/users.ts'
import { Button } from '../../ui/button.tsx'

/** Saves all users of the list as a file, including those on other pages. @param filters those of the list */
export function ExportUsers({ filters }: { filters: readonly Filter[] }) {
  const { search } = useListState()
  const run = useAction(async () => {
    const chosen = ['q', 'sort', ...filters.map(({ name }) => name)].flatMap((name) =>
      search[name] === undefined ? [] : [[name, search[name]]],
    )
    const response = await download(`/v1/admin/users/export?${new URLSearchParams([...chosen, ['format', 'csv']])}`)
    await saveAs(response, `users-${new Date().toISOString().slice(0, 10)}.csv`)
  })
  return (
    <Button icon={Download} busy={run.busy} onClick={() => void run.run()}>
      {t.exportCsv}
    </Button>
  )
}
