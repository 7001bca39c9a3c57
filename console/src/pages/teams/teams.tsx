import type { QueryKey } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Team } from '../../api/teams.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber } from '../../parts/format.ts'
import { ListPage, useOpenRecord } from '../../parts/list-page.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import type { Column } from '../../parts/resource-list.tsx'
import { Time } from '../../parts/time.tsx'
import { useCreation } from '../../parts/use-creation.tsx'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Link } from '../../ui/link.tsx'
import { TwoLines } from '../../ui/table.tsx'
import { CreateTeam } from './create-team.tsx'

/** The list, and the form for a new team, which does not require permission to read. */
export function Teams() {
  const { button, ...form } = useCreation('POST /v1/admin/teams', { label: t.create, icon: Plus })
  return (
    <>
      <Permitted to="GET /v1/admin/teams" action={button}>
        <TeamList createButton={button} />
      </Permitted>
      <CreateTeam {...form} />
    </>
  )
}

function TeamList({ createButton }: { createButton: ReactNode }) {
  return (
    <ListPage
      title={t.title}
      count={t.count}
      actions={createButton}
      queryKey={queryKey}
      load={load}
      columns={columns}
      nameOf={nameOf}
      onOpen={useOpenRecord('/teams/$id/{-$tab}')}
      searchLabel={t.search}
      empty={<EmptyState icon={UsersRound} title={t.empty} description={t.emptyDescription} action={createButton} />}
    />
  )
}

const queryKey: QueryKey = ['teams']
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
