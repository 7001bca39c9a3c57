import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, CircleCheck, Ellipsis, ShieldBan, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import type { components } from '../../api/schema.d.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { applicationsTexts as t } from '../../texts/applications.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAction } from '../../ui/menu-items.ts'

interface ApplicationActionsProps {
  client: Pick<components['schemas']['Client'], 'id' | 'name' | 'isActive' | 'metadataUrl'>
  /** Called before the list is reloaded, to leave the page of the deleted application. */
  onDeleted?: () => Promise<unknown>
}

export function ApplicationActions({ client: { id, name, isActive, metadataUrl }, onDeleted }: ApplicationActionsProps) {
  const may = useMayChange()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<'revoke' | 'activate' | 'block' | 'delete'>()
  const close = () => setQuestion(undefined)
  const params = { path: { id } }
  const host = metadataUrl === null ? undefined : new URL(metadataUrl).host
  const change = async (work: Promise<unknown>) => {
    await work
    await invalidate(queries, 'clients')
  }
  const items: (MenuAction | 'separator')[] = [
    ...(isActive && may('POST /v1/admin/clients/{id}/revoke')
      ? [{ label: t.revoke, icon: Ban, onSelect: () => setQuestion('revoke') }]
      : []),
    ...(!isActive && may('POST /v1/admin/clients/{id}/activate')
      ? [{ label: t.activate, icon: CircleCheck, onSelect: () => setQuestion('activate') }]
      : []),
    ...(host !== undefined && may('POST /v1/admin/blocked-client-hosts')
      ? [{ label: t.block, icon: ShieldBan, onSelect: () => setQuestion('block') }]
      : []),
    ...(may('DELETE /v1/admin/clients/{id}')
      ? [{ label: t.delete, icon: Trash2, danger: true, onSelect: () => setQuestion('delete') }]
      : []),
  ]
  if (items.length === 0) return null
  return (
    <>
      <Menu label={t.actionsFor(name)} trigger={<IconButton label={t.actionsFor(name)} icon={Ellipsis} variant="plain" />} items={items} />
      <Confirm
        open={question === 'revoke'}
        onOpenChange={close}
        title={t.revokeQuestion(name)}
        action={t.revokeName(name)}
        danger
        asksReason
        onConfirm={({ reason }) => change(answerOf(api.POST('/v1/admin/clients/{id}/revoke', { params, body: { reason } })))}
      >
        <p>{t.revokeEffect}</p>
        <WhatEnds id={id} />
      </Confirm>
      <Confirm
        open={question === 'activate'}
        onOpenChange={close}
        title={t.activateQuestion(name)}
        action={t.activateName(name)}
        onConfirm={() => change(answerOf(api.POST('/v1/admin/clients/{id}/activate', { params })))}
      >
        <p>{t.activateEffect}</p>
      </Confirm>
      {host !== undefined && (
        <Confirm
          open={question === 'block'}
          onOpenChange={close}
          title={t.blockQuestion(host)}
          action={t.blockName(host)}
          danger
          asksReason
          onConfirm={async ({ reason = null }) => {
            await change(answerOf(api.POST('/v1/admin/blocked-client-hosts', { body: { host, reason } })))
            await invalidate(queries, 'blocked-client-hosts')
          }}
        >
          <p>{t.blockEffect}</p>
        </Confirm>
      )}
      <Confirm
        open={question === 'delete'}
        onOpenChange={close}
        title={t.deleteQuestion(name)}
        action={t.deleteName(name)}
        danger
        asksReason
        typeToConfirm={name}
        onConfirm={async ({ reason }) => {
          await answerOf(api.DELETE('/v1/admin/clients/{id}', { params, body: { reason } }))
          await onDeleted?.()
          await change(Promise.resolve())
        }}
      >
        <p>{t.deleteEffect}</p>
        <WhatEnds id={id} isDeleted />
      </Confirm>
    </>
  )
}

/** The effect in numbers. The question is asked without them while they load, or when they cannot be read. */
function WhatEnds({ id, isDeleted }: { id: string; isDeleted?: boolean }) {
  const may = useMay()('GET /v1/admin/clients/{id}/impact')
  const { data } = useQuery({
    // This key is not below `clients`, which are reloaded after the deletion: the impact does not exist any more then.
    queryKey: ['client-impact', id],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/admin/clients/{id}/impact', { params: { path: { id } }, signal })),
    enabled: may,
    staleTime: 0,
    gcTime: 0,
  })
  if (!data) return null
  const { users, refreshTokens, consents } = data
  return (
    <p role="status">
      <strong>{t.ends(users, formatNumber(users), refreshTokens, formatNumber(refreshTokens))}</strong>{' '}
      {isDeleted && consents > 0 && t.endsConsents(consents, formatNumber(consents))}
    </p>
  )
}
