import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { SwitchOrRemove } from '../../parts/switch-or-remove.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'

/** Actions on a whole directory. */
export function DirectoryActions({ directory: { id, name, isActive, counts } }: { directory: Directory }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = { id }
  const readAgain = () => invalidate(queries, 'directories')
  return (
    <SwitchOrRemove
      name={name}
      isActive={isActive}
      texts={t}
      offEffect={t.offEffect(counts.users)}
      removeEffect={t.removeEffect(counts.users)}
      maySwitch={may('PATCH /v1/admin/directories/{id}')}
      mayRemove={may('DELETE /v1/admin/directories/{id}')}
      setActive={async (active) => {
        await answerOf(api.PATCH('/v1/admin/directories/{id}', { params: { path }, body: { isActive: active } }))
        await readAgain()
      }}
      onRemove={async (body) => {
        await answerOf(api.DELETE('/v1/admin/directories/{id}', { params: { path }, body }))
        await navigate({ to: '/directories', ignoreBlocker: true })
        queries.removeQueries({ queryKey: ['directories', id] })
        await readAgain()
      }}
    />
  )
}
