import { useQueryClient } from '@tanstack/react-query'
import { answerWithTag, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { readTeam, type Team, teamQuery } from '../../api/teams.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { LockedFacts } from '../../parts/locked-facts.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Panel } from '../../ui/panel.tsx'

const operation = 'PATCH /v1/admin/teams/{id}'

const valuesOf = ({ name, description }: Team) => ({ name, description })

export function TeamSettings({ team, tag }: { team: Team; tag: string | undefined }) {
  return (
    <Panel title={t.settings}>{useMayChange()(operation) ? <SettingsForm team={team} tag={tag} /> : <SettingsFacts team={team} />}</Panel>
  )
}

function SettingsForm({ team, tag }: { team: Team; tag: string | undefined }) {
  const queries = useQueryClient()
  const path = { id: team.id }
  const edit = useEdit(valuesOf(team), tag)
  const { field } = edit
  return (
    <EditForm
      edit={edit}
      targetId={team.id}
      labels={{ name: shellTexts.name, description: shellTexts.description }}
      save={async (body, header) => {
        const saved = await answerWithTag(api.PATCH('/v1/admin/teams/{id}', { params: { path, header }, body }))
        await invalidate(queries, 'teams')
        return saved
      }}
      readAgain={async () => {
        const now = await readTeam(team.id)
        queries.setQueryData(teamQuery(team.id).queryKey, now)
        return { values: valuesOf(now.body), tag: now.tag }
      }}
    >
      <ApiTextField of={operation} {...field('name')} label={shellTexts.name} required />
      <ApiTextField of={operation} {...field('description')} label={shellTexts.description} multiline={2} />
    </EditForm>
  )
}

function SettingsFacts({ team }: { team: Team }) {
  return (
    <LockedFacts
      of={operation}
      items={[
        { term: shellTexts.name, value: team.name },
        { term: shellTexts.description, value: team.description || shellTexts.none },
      ]}
    />
  )
}
