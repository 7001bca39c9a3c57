import { useQuery } from '@tanstack/react-query'
import { serviceQuery } from '../../api/service.ts'
import { invitationsTexts as t } from '../../texts/invitations.ts'
import { ExternalLink } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Shows the location of a mail that was just sent, when the service delivers none. */
export function MailPlace() {
  const { data } = useQuery(serviceQuery)
  if (!data || data.mail.delivers) return null
  const { inbox } = data.mail
  return (
    <Notice tone="accent" role="status">
      {t.notDelivered} {inbox && <ExternalLink href={inbox}>{t.openInbox}</ExternalLink>}
    </Notice>
  )
}
