import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import { type Team as TeamRecord, teamQuery } from '../../api/teams.ts'
import { formatNumber } from '../../parts/format.ts'
import { HistoryPanel, useRestore } from '../../parts/history-panel.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { RecordPage } from '../../parts/record-page.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { TeamActions } from './team-actions.tsx'
import { TeamMembers } from './team-members.tsx'
import { TeamSettings } from './team-settings.tsx'

const route = getRouteApi('/shell/teams/$id/{-$tab}')

export function Team() {
  return (
    <Permitted to="GET /v1/admin/teams/{id}">
      <OneTeam />
    </Permitted>
  )
}

function OneTeam() {
  const { id, tab } = route.useParams()
  const query = useQuery(teamQuery(id))
  return (
    <RecordPage
      query={query}
      back={{ to: '/teams', label: t.title }}
      titleOf={({ body }) => body.name}
      idOf={({ body }) => body.id}
      subtitleOf={({ body }) => t.memberCount(body.memberCount, formatNumber(body.memberCount))}
      actionsOf={({ body }) => <TeamActions team={body} />}
      at={{ to: '/teams/$id/{-$tab}', id, tab }}
      tabs={[
        { label: t.members, page: ({ body }) => <TeamMembers team={body} /> },
        { tab: 'settings', label: t.settings, page: ({ body, tag }) => <TeamSettings team={body} tag={tag} /> },
        { tab: 'history', label: t.history, page: ({ body, tag }) => <TeamHistory team={body} tag={tag} /> },
      ]}
    />
  )
}

function TeamHistory({ team, tag }: { team: TeamRecord; tag: string | undefined }) {
  const mayChange = useMayChange()('PATCH /v1/admin/teams/{id}')
  const restore = useRestore(mayChange, 'teams', (body) =>
    answerOf(api.PATCH('/v1/admin/teams/{id}', { params: { path: { id: team.id }, header: conditionOf(tag) }, body })),
  )
  return (
    <HistoryPanel title={t.history} about={{ targetId: team.id }} past={{ record: team, restorable: ['name', 'description'], restore }} />
  )
}
