import { UserRound } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { explainTexts as t } from '../../texts/explain.ts'
import { Badge } from '../../ui/badge.tsx'
import { Link } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { checkPermission, type PermissionCheck } from './check-permissions.ts'
import styles from './explain.module.css'
import { giversOf, rolesOf, timesOf } from './reasons.tsx'

interface Holder {
  id: string
  name: string
  email: string
  check: PermissionCheck
}

/** All users who have a permission, with the roles that give it. */
export function Holders({ permission }: { permission: string }) {
  const [total, setTotal] = useState<number>()
  const load = async (query: object, signal: AbortSignal) => {
    const page = await answerOf(api.GET('/v1/admin/users', { params: { query: { ...query, permission } }, signal }))
    const checks =
      page.data.length === 0
        ? []
        : await checkPermission(
            page.data.map(({ id: userId }) => ({ userId, permission })),
            signal,
          )
    return {
      ...page,
      data: page.data.flatMap(({ id, name, email }, index) => (checks[index] ? [{ id, name, email, check: checks[index] }] : [])),
    }
  }
  return (
    <>
      <h2 className={styles.heading}>
        {t.whoHas(permission)} {total !== undefined && <span>{t.people(total, formatNumber(total))}</span>}
      </h2>
      <ResourceList
        label={t.whoHas(permission)}
        queryKey={['users', 'holders', permission]}
        load={load}
        columns={columns}
        nameOf={nameOf}
        defaultSort="name"
        onTotal={setTotal}
        empty={<EmptyState icon={UserRound} title={t.nobody} />}
      />
    </>
  )
}

const nameOf = ({ name }: Holder) => name

const columns: readonly Column<Holder>[] = [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: ({ name, email, check: { userId, permission } }) => (
      <TwoLines
        title={
          <Link to="/explain" search={{ userId, permission }} subtle>
            {name}
          </Link>
        }
        detail={email}
      />
    ),
  },
  {
    key: 'state',
    header: t.state,
    card: 'end',
    cell: ({ check: { allowed } }) => <Badge tone={allowed ? 'success' : 'warning'}>{allowed ? t.usable : t.notUsable}</Badge>,
  },
  { key: 'through', wraps: true, header: t.through, cell: ({ check }) => rolesOf(check.because) },
  { key: 'since', wraps: true, header: t.since, priority: 2, cell: ({ check }) => timesOf(check.because) },
  { key: 'by', wraps: true, header: t.by, priority: 3, cell: ({ check }) => giversOf(check.because) },
]
