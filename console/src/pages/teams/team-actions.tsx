import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { Team } from '../../api/teams.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

export function TeamActions({ team: { id, name, memberCount } }: { team: Team }) {
  const mayDelete = useMayChange()('DELETE /v1/admin/teams/{id}')
  const queries = useQueryClient()
  const leave = useLeave()
  const [isAsking, setAsking] = useState(false)
  if (!mayDelete) return null
  return (
    <>
      <Menu
        label={shellTexts.moreActions}
        trigger={<IconButton label={shellTexts.moreActions} icon={Ellipsis} variant="plain" />}
        items={[{ label: t.delete, icon: Trash2, danger: true, onSelect: () => setAsking(true) }]}
      />
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={t.deleteQuestion(name)}
        action={t.deleteName(name)}
        danger
        asksReason
        onConfirm={async ({ reason }) => {
          await answerOf(api.DELETE('/v1/admin/teams/{id}', { params: { path: { id } }, ...(reason && { body: { reason } }) }))
          await leave('/teams')
          await invalidate(queries, 'teams')
        }}
      >
        <p>{t.deleteEffect(memberCount, formatNumber(memberCount))}</p>
      </Confirm>
    </>
  )
}
