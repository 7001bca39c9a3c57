import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProfile } from '../api/profile.ts'
import { useStatistics } from '../api/statistics.ts'
import type { overviewTexts } from '../texts/overview.ts'
import { Link } from '../ui/link.tsx'
import { useMayChange } from './use-change.ts'

export interface FirstStep {
  name: keyof typeof overviewTexts.steps
  isDone: boolean
  /** The path of the page for the step. */
  path: string
  link: (title: string, onClick?: () => void) => ReactNode
}

/** The first steps of a new organisation that the user may take. A step is done when the records say so, whatever created them. */
export function useFirstSteps(isAsked: boolean): FirstStep[] {
  const mayChange = useMayChange()
  const { mfaEnabled } = useProfile()
  const statistics = useStatistics()
  if (!isAsked || !statistics) return []
  const { users, roles, invitations, clients, webhooks } = statistics
  return [
    ...(mayChange('POST /v1/admin/invitations') && users && invitations
      ? [step('invite', users.total > 1 || invitations.pending + invitations.expired > 0, { to: '/invitations', search: create })]
      : []),
    ...(mayChange('POST /v1/admin/roles') && roles ? [step('role', roles.added > 0, { to: '/roles', search: create })] : []),
    ...(mayChange('POST /v1/admin/clients') && clients
      ? [step('application', clients.active + clients.revoked > 0, { to: '/applications/new' })]
      : []),
    ...(mayChange('POST /v1/admin/webhooks') && webhooks
      ? [step('webhook', webhooks.active + webhooks.failing + webhooks.inactive > 0, { to: '/webhooks', search: create })]
      : []),
    {
      name: 'factor',
      isDone: mfaEnabled,
      path: factorPath,
      link: (title, onClick) => (
        <a href={factorPath} onClick={onClick}>
          {title}
        </a>
      ),
    },
  ]
}

const create = { create: 'yes' }
const factorPath = '/mfa/enroll?returnTo=%2Fconsole'

const step = (name: FirstStep['name'], isDone: boolean, target: { to: string } & Pick<LinkProps, 'search'>): FirstStep => ({
  name,
  isDone,
  path: target.to,
  link: (title, onClick) => (
    <Link {...(target as { to: '/' })} onClick={onClick}>
      {title}
    </Link>
  ),
})
