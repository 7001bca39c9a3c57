import type { LinkProps } from '@tanstack/react-router'
import { CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProfile } from '../../api/profile.ts'
import { useStatistics } from '../../api/statistics.ts'
import { prefer } from '../../parts/preferences.ts'
import { useMayChange } from '../../parts/use-change.ts'
import { usePreference } from '../../parts/use-preference.ts'
import { overviewTexts as t } from '../../texts/overview.ts'
import { IconButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './first-steps.module.css'

interface Step {
  name: keyof typeof t.steps
  isDone: boolean
  link: (title: string) => ReactNode
}

/** What a new organisation needs first. Each step is done when the records say so, however they came about. */
export function FirstSteps() {
  const isDismissed = usePreference('firstSteps') === 'dismissed'
  const steps = useSteps(!isDismissed)
  const done = steps.filter(({ isDone }) => isDone).length
  if (isDismissed || steps.length === 0 || done === steps.length) return null
  return (
    <Panel
      title={t.firstSteps}
      description={t.stepsDone(done, steps.length)}
      actions={<IconButton label={t.dismiss} icon={X} onClick={() => prefer('firstSteps', 'dismissed')} />}
    >
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, link }, index) => (
          <li key={name} className={styles.step} data-done={isDone || undefined}>
            <span className={styles.mark} aria-hidden>
              {isDone ? <CircleCheck size={20} /> : index + 1}
            </span>
            <div>
              <p className={styles.title}>
                {isDone ? t.steps[name].title : link(t.steps[name].title)}
                {isDone && <span className="visually-hidden"> {t.isDone}</span>}
              </p>
              <p className={styles.hint}>{t.steps[name].hint}</p>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function useSteps(isAsked: boolean): Step[] {
  const mayChange = useMayChange()
  const { mfaEnabled } = useProfile()
  const statistics = useStatistics()
  if (!isAsked || !statistics) return []
  const { users, roles, invitations, clients, webhooks } = statistics
  const linkTo = (target: Pick<LinkProps, 'to' | 'search'>) => (title: string) => <Link {...(target as { to: string })}>{title}</Link>
  const create = { create: 'yes' }
  return [
    ...(mayChange('POST /v1/admin/invitations') && users && invitations
      ? [
          {
            name: 'invite' as const,
            isDone: users.total > 1 || invitations.pending + invitations.expired > 0,
            link: linkTo({ to: '/invitations', search: create }),
          },
        ]
      : []),
    ...(mayChange('POST /v1/admin/roles') && roles
      ? [{ name: 'role' as const, isDone: roles.added > 0, link: linkTo({ to: '/roles', search: create }) }]
      : []),
    ...(mayChange('POST /v1/admin/clients') && clients
      ? [{ name: 'application' as const, isDone: clients.active + clients.revoked > 0, link: linkTo({ to: '/applications/new' }) }]
      : []),
    ...(mayChange('POST /v1/admin/webhooks') && webhooks
      ? [
          {
            name: 'webhook' as const,
            isDone: webhooks.active + webhooks.failing + webhooks.inactive > 0,
            link: linkTo({ to: '/webhooks', search: create }),
          },
        ]
      : []),
    { name: 'factor', isDone: mfaEnabled, link: (title: string) => <a href="/mfa/enroll?returnTo=%2Fconsole">{title}</a> },
  ]
}
