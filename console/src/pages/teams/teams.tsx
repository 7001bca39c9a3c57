import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus, UsersRound } from 'lucide-react'
import { useCallback, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Team } from '../../api/teams.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useListState } from '../../parts/list-state.ts'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { type Column, ResourceList } from '../../parts/resource-list.tsx'
import { useShortcut } from '../../parts/shortcuts.ts'
import { Time } from '../../parts/time.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { CreateTeam } from './create-team.tsx'

const route = getRouteApi('/shell/teams')

export function Teams() {
  return (
    <Permitted to="GET /v1/admin/teams">
      <TeamList />
    </Permitted>
  )
}

function TeamList() {
  const navigate = useNavigate()
  const { create } = route.useSearch()
  const { set } = useListState()
  const mayCreate = useMayChange()('POST /v1/admin/teams')
  const [total, setTotal] = useState<number>()
  const open = useCallback(({ id }: Team) => void navigate({ to: '/teams/$id/{-$tab}', params: { id } }), [navigate])
  const openCreate = useCallback(() => void set({ create: 'yes' }), [set])
  useShortcut('c', t.create, mayCreate ? openCreate : undefined)
  const createButton = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={openCreate}>
      {t.create}
    </Button>
  )
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <PageHead title={t.title} count={total === undefined ? undefined : t.count(total, formatNumber(total))} actions={createButton} />
      <ResourceList
        label={t.title}
        queryKey={queryKey}
        load={load}
        columns={columns}
        nameOf={nameOf}
        onOpen={open}
        searchLabel={t.search}
        onTotal={setTotal}
        empty={<EmptyState icon={UsersRound} title={t.empty} description={t.emptyDescription} action={createButton} />}
      />
      <CreateTeam open={create !== undefined && mayCreate} onOpenChange={(isOpen) => !isOpen && void set({ create: undefined })} />
    </>
  )
}

const queryKey = ['teams']
const nameOf = ({ name }: Team) => name
const load = (query: object, signal: AbortSignal) =>
  answerOf(api.GET('/v1/admin/teams', { params: { query: { ...query, members: 'false' } }, signal }))

const columns: readonly Column<Team>[] = [
  {
    key: 'name',
    header: t.name,
    sort: 'name',
    cell: ({ id, name, slug, description }) => (
      <TwoLines
        title={
          <Link to="/teams/$id/{-$tab}" params={{ id }} subtle>
            {name}
          </Link>
        }
        detail={description || slug}
      />
    ),
  },
  { key: 'members', header: t.members, figures: true, cell: ({ memberCount }) => formatNumber(memberCount) },
  { key: 'createdAt', header: t.created, sort: 'createdAt', priority: 2, cell: ({ createdAt }) => <Time at={createdAt} /> },
]
