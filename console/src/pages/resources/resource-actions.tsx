import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { SwitchOrRemove } from '../../parts/switch-or-remove.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { resourcesTexts as t } from '../../texts/resources.ts'

/** Actions on a whole resource server. */
export function ResourceActions({ server: { id, name, isActive } }: { server: ResourceServer }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const leave = useLeave()
  const path = { id }
  const readAgain = () => invalidate(queries, 'resource-servers')
  return (
    <SwitchOrRemove
      name={name}
      isActive={isActive}
      texts={t}
      offEffect={t.offEffect}
      removeEffect={t.removeEffect}
      maySwitch={may('PATCH /v1/admin/resource-servers/{id}')}
      mayRemove={may('DELETE /v1/admin/resource-servers/{id}')}
      setActive={async (active) => {
        await answerOf(api.PATCH('/v1/admin/resource-servers/{id}', { params: { path }, body: { isActive: active } }))
        await readAgain()
      }}
      onRemove={async (body) => {
        await answerOf(api.DELETE('/v1/admin/resource-servers/{id}', { params: { path }, body }))
        await leave('/resources')
        queries.removeQueries({ queryKey: ['resource-servers', id] })
        await readAgain()
      }}
    />
  )
}
