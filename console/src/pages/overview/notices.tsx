import { useQuery } from '@tanstack/react-query'
import { useProfile } from '../../api/profile.ts'
import { serviceQuery } from '../../api/service.ts'
import { useStatistics } from '../../api/statistics.ts'
import { formatNumber } from '../../parts/format.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { overviewTexts as t } from '../../texts/overview.ts'
import { ExternalLink } from '../../ui/link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './overview.module.css'

/** How much of a trial is used, before its limit is reached. */
export function TrialNotice() {
  const isTrial = useProfile().organisation.status === 'trial'
  const max = useQuery({ ...serviceQuery, enabled: isTrial }).data?.trialMaxUsers
  const used = useStatistics()?.users?.total
  if (!isTrial || max === undefined) return null
  const isFull = used !== undefined && used >= max
  const isNearlyFull = used !== undefined && used >= max * 0.8
  return (
    <Notice tone={isFull ? 'danger' : isNearlyFull ? 'warning' : 'neutral'} title={t.trial}>
      <p>
        {t.trialLimit(formatNumber(max))} {isFull && t.trialFull}
      </p>
      {used !== undefined && (
        <div className={styles.usage}>
          <Meter
            label={t.trialUsers}
            value={used}
            max={max}
            text={t.trialUsage(formatNumber(used), formatNumber(max))}
            tone={isFull ? 'danger' : isNearlyFull ? 'warning' : 'accent'}
          />
        </div>
      )}
    </Notice>
  )
}

/** Warns users whose actions send mails that none are delivered. */
export function MailNotice() {
  const mayChange = useMayChange()
  const sendsMail = mayChange('POST /v1/admin/invitations') || mayChange('POST /v1/admin/users')
  const mail = useQuery({ ...serviceQuery, enabled: sendsMail }).data?.mail
  if (!sendsMail || !mail || mail.delivers) return null
  return (
    <Notice tone="neutral" title={t.noMail}>
      {t.noMailHint} {mail.inbox && <ExternalLink href={mail.inbox}>{t.openInbox}</ExternalLink>}
    </Notice>
  )
}
