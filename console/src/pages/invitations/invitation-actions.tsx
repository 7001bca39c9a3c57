import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, MailX, Send } from 'lucide-react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { serviceQuery } from '../../api/service.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { useAction } from '../../parts/use-submit.ts'
import { invitationsTexts as t } from '../../texts/invitations.ts'
import { IconButton } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAction } from '../../ui/menu-items.ts'
import { useToast } from '../../ui/toast.tsx'

const undoMilliseconds = 8000
const dayMilliseconds = 86_400_000
const usualDays = 7

export function InvitationActions({ invitation }: { invitation: components['schemas']['InvitationDetails'] }) {
  const may = useMayChange()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, email, status } = invitation
  const path = { id }

  const tellSent = async () => {
    const [{ mail }] = await Promise.all([queries.ensureQueryData(serviceQuery), invalidate(queries, 'invitations')])
    toast.show({
      title: t.sentTo(email),
      tone: 'success',
      ...(mail.inbox && { description: <ExternalLink href={mail.inbox}>{t.openInbox}</ExternalLink> }),
    })
  }
  const resend = useAction(async () => {
    await answerOf(api.POST('/v1/admin/invitations/{id}/resend', { params: { path } }))
    await tellSent()
  })
  const inviteAgain = useAction(async () => {
    await answerOf(api.POST('/v1/admin/invitations', { body: sameAgain(invitation) }))
    await tellSent()
  })
  const cancel = useAction(async () => {
    await answerOf(api.DELETE('/v1/admin/invitations/{id}', { params: { path } }))
    toast.show({
      title: t.cancelled(email),
      tone: 'success',
      timeoutMilliseconds: undoMilliseconds,
      ...(mayInvite && { action: { label: t.sendAgain, onSelect: () => void inviteAgain.run() } }),
    })
    await invalidate(queries, 'invitations')
  })

  const mayInvite = may('POST /v1/admin/invitations') && invitation.role !== null
  const items: MenuAction[] = [
    ...(status === 'pending' && may('POST /v1/admin/invitations/{id}/resend')
      ? [{ label: t.resend, icon: Send, onSelect: () => void resend.run() }]
      : []),
    ...(status === 'expired' && mayInvite ? [{ label: t.inviteAgain, icon: Send, onSelect: () => void inviteAgain.run() }] : []),
    ...(status === 'pending' && may('DELETE /v1/admin/invitations/{id}')
      ? [{ label: t.cancel, icon: MailX, danger: true, onSelect: () => void cancel.run() }]
      : []),
  ]
  if (items.length === 0) return null
  return (
    <Menu
      label={t.actionsFor(email)}
      trigger={
        <IconButton label={t.actionsFor(email)} icon={Ellipsis} busy={[resend, inviteAgain, cancel].some(({ busy }) => busy === true)} />
      }
      items={items}
    />
  )
}

/** The same invitation again, with the remaining or the usual lifetime. */
function sameAgain({ email, roleId, teamIds, clientId, expiresAt }: components['schemas']['InvitationDetails']) {
  const days = Math.ceil((new Date(expiresAt).getTime() - Date.now()) / dayMilliseconds)
  return { email, roleId: roleId as string, teamIds, clientId, expiresInDays: days < 1 ? usualDays : Math.min(days, 30) }
}
