import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { useHas } from '../../api/profile.ts'
import { statisticsQuery } from '../../api/statistics.ts'
import { formatNumber, formatPercent } from '../../parts/format.ts'
import { ProblemPanel } from '../../parts/problem-panel.tsx'
import { overviewTexts as t } from '../../texts/overview.ts'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './tiles.module.css'

interface Tile extends Pick<LinkProps, 'to' | 'search'> {
  label: string
  /** Undefined while it loads. */
  figure: string | undefined
  below: string | undefined
  isBad?: boolean
}

/** The key figures of the organisation, each with a link to the records that it counts. */
export function Tiles() {
  const tiles = useTiles()
  const { error, data, refetch } = useQuery(statisticsQuery)
  if (tiles.length === 0) return null
  if (error && !data) return <ProblemPanel error={error} onRetry={() => void refetch()} />
  return (
    <section aria-label={t.atAGlance}>
      <ul className={styles.tiles}>
        {tiles.map(({ label, figure, below, isBad, ...target }) => (
          <li key={label}>
            <Link {...(target as { to: string })} subtle className={styles.tile}>
              <span className={styles.label}>{label}</span>
              <span className={styles.figure} data-bad={isBad || undefined}>
                {figure ?? <Skeleton height="figure" width="short" />}
              </span>
              <span className={styles.below}>{below ?? '\u00a0'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useTiles(): Tile[] {
  const has = useHas()
  const { users, invitations, clients, webhooks } = useQuery(statisticsQuery).data ?? {}
  const figure = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value))
  /** Leaves out a text for a count of zero. */
  const some = (count: number | undefined, text: (count: string) => string) => (count ? text(formatNumber(count)) : undefined)
  const endpoints = webhooks && webhooks.active + webhooks.inactive
  return [
    ...(has('users:read')
      ? [
          { to: '/users' as const, label: t.users, figure: figure(users?.total), below: some(users?.createdLast30Days, t.newUsers) },
          {
            to: '/users' as const,
            search: { sort: '-lastLoginAt' },
            label: t.signedIn,
            figure: figure(users?.signedInLast30Days),
            below: users && users.total > 0 ? t.ofUsers(formatPercent(users.signedInLast30Days / users.total)) : undefined,
          },
          {
            to: '/users' as const,
            search: { mfaEnabled: 'true' },
            label: t.secondFactor,
            figure: users && (users.total > 0 ? formatPercent(users.withMfa / users.total) : formatPercent(0)),
            below: some(users && users.total - users.withMfa, t.without),
          },
        ]
      : []),
    ...(has('invitations:read')
      ? [
          {
            to: '/invitations' as const,
            search: { status: 'pending' },
            label: t.pendingInvitations,
            figure: figure(invitations?.pending),
            below: some(invitations?.expiringIn24Hours, t.expireToday) ?? some(invitations?.expired, t.expiredInvitations),
          },
        ]
      : []),
    ...(has('clients:read')
      ? [{ to: '/applications' as const, label: t.applications, figure: figure(clients?.active), below: some(clients?.revoked, t.revoked) }]
      : []),
    ...(has('webhooks:read')
      ? [
          {
            to: '/webhooks' as const,
            label: t.failingWebhooks,
            figure: figure(webhooks?.failing),
            below: some(endpoints, t.ofWebhooks),
            isBad: (webhooks?.failing ?? 0) > 0,
          },
        ]
      : []),
  ]
}
