import type { QueryKey } from '@tanstack/react-query'
import { Mail, MailPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import type { components } from '../../api/schema.d.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import type { Filter } from '../../parts/filter-bar.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column, ResourceListProps } from '../../parts/resource-list.tsx'
import { roleName } from '../../parts/role-words.ts'
import { Time } from '../../parts/time.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { invitationsTexts as t } from '../../texts/invitations.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Badge, Chip, Chips } from '../../ui/badge.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { InvitationActions } from './invitation-actions.tsx'
import styles from './invitations.module.css'
import { Invite } from './invite.tsx'

type InvitationRow = components['schemas']['InvitationDetails']

/** The list, and the form for new invitations, which does not require permission to read. */
export function Invitations() {
  const { button, ...form } = useCreation('POST /v1/admin/invitations', { label: t.invite, icon: MailPlus })
  return (
    <>
      <Permitted to="GET /v1/admin/invitations" action={button}>
        <InvitationList createButton={button} />
      </Permitted>
      <Invite {...form} />
    </>
  )
}

function InvitationList({ createButton }: { createButton: ReactNode }) {
  return (
    <ListPage
      title={t.title}
      count={t.count}
      actions={createButton}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      searchLabel={t.search}
      filters={filters}
      defaultSort="-createdAt"
      empty={<EmptyState icon={Mail} title={t.empty} description={t.emptyDescription} action={createButton} />}
    />
  )
}

const queryKey: QueryKey = ['invitations']
const nameOf = ({ email }: InvitationRow) => email
const load: ResourceListProps<InvitationRow>['load'] = async ({ id, ...query }, signal) => {
  if (id === undefined) return answerOf(api.GET('/v1/admin/invitations', { params: { query: query as object }, signal }))
  const one = await answerOf(api.GET('/v1/admin/invitations/{id}', { params: { path: { id: String(id) } }, signal })).catch((error) => {
    // It was cancelled, or never existed.
    if (error instanceof Problem && error.isGone) return undefined
    throw error
  })
  const isWithin = one?.email.startsWith(String(query.q ?? '').toLowerCase()) && one.status === (query.status ?? one.status)
  return { data: one && isWithin ? [one] : [], total: isWithin ? 1 : 0 }
}

const filters: readonly Filter[] = [
  { name: 'id', label: t.invitation, any: t.invitation, inWords: (id) => `${id.slice(0, 9)}…${id.slice(-4)}` },
  {
    name: 'status',
    label: t.status,
    any: t.anyStatus,
    options: [
      { value: 'pending', label: t.pending },
      { value: 'accepted', label: t.accepted },
      { value: 'expired', label: t.expired },
    ],
  },
]

const states = {
  pending: <Badge tone="neutral">{t.pending}</Badge>,
  accepted: <Badge tone="success">{t.accepted}</Badge>,
  expired: <Badge tone="warning">{t.expired}</Badge>,
}

const columns: readonly Column<InvitationRow>[] = [
  {
    key: 'email',
    header: t.email,
    sort: 'email',
    cell: ({ email, invitedBy }) => <TwoLines title={email} detail={t.invitedBy(invitedBy.name)} />,
  },
  { key: 'status', header: t.status, card: 'end', cell: ({ status }) => states[status] },
  {
    key: 'role',
    wraps: true,
    header: t.role,
    cell: ({ role }) => (role ? <Chip>{roleName(role)}</Chip> : <span className={styles.muted}>{t.defaultRole}</span>),
  },
  {
    key: 'teams',
    wraps: true,
    header: t.teams,
    priority: 3,
    cell: ({ teams }) =>
      teams.length === 0 ? (
        <span className={styles.muted}>{shellTexts.none}</span>
      ) : (
        <Chips>
          {teams.map(({ id, name }) => (
            <Chip key={id}>{name}</Chip>
          ))}
        </Chips>
      ),
  },
  {
    key: 'createdAt',
    header: t.sent,
    sort: 'createdAt',
    priority: 3,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    key: 'expiresAt',
    header: t.expires,
    sort: 'expiresAt',
    priority: 2,
    cell: ({ status, expiresAt, acceptedAt }) =>
      status === 'accepted' ? (
        <span className={styles.muted}>
          {t.accepted} {acceptedAt && <Time at={acceptedAt} />}
        </span>
      ) : (
        <Time at={expiresAt} />
      ),
  },
  { key: 'actions', header: '', figures: true, card: 'end', cell: (invitation) => <InvitationActions invitation={invitation} /> },
]
