import { useQueryClient } from '@tanstack/react-query'
import type { AuthorizationServer } from '../../api/authorization-servers.ts'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { SwitchOrRemove } from '../../parts/switch-or-remove.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { otherApisTexts as t } from '../../texts/other-apis.ts'

/** Actions on a whole entry. */
export function OtherApiActions({ server: { id, name, isActive } }: { server: AuthorizationServer }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const leave = useLeave()
  const path = { id }
  const readAgain = () => invalidate(queries, 'resource-authorization-servers')
  return (
    <SwitchOrRemove
      name={name}
      isActive={isActive}
      texts={t}
      offEffect={t.offEffect}
      removeEffect={t.removeEffect}
      maySwitch={may('PATCH /v1/admin/resource-authorization-servers/{id}')}
      mayRemove={may('DELETE /v1/admin/resource-authorization-servers/{id}')}
      setActive={async (active) => {
        await answerOf(api.PATCH('/v1/admin/resource-authorization-servers/{id}', { params: { path }, body: { isActive: active } }))
        await readAgain()
      }}
      onRemove={async (body) => {
        await answerOf(api.DELETE('/v1/admin/resource-authorization-servers/{id}', { params: { path }, body }))
        await leave('/other-apis')
        queries.removeQueries({ queryKey: ['resource-authorization-servers', id] })
        await readAgain()
      }}
    />
  )
}
