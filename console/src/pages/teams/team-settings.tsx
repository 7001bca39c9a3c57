import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { readTeam, type Team, teamQuery } from '../../api/teams.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { shellTexts } from '../../texts/shell.ts'
import { teamsTexts as t } from '../../texts/teams.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Notice } from '../../ui/notice.tsx'
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
        await answerOf(api.PATCH('/v1/admin/teams/{id}', { params: { path, header }, body }))
        await invalidate(queries, 'teams')
      }}
      readAgain={async () => {
        const now = await readTeam(team.id)
        queries.setQueryData(teamQuery(team.id).queryKey, now)
        return valuesOf(now.body)
      }}
    >
      <ApiTextField of={operation} {...field('name')} label={shellTexts.name} required />
      <ApiTextField of={operation} {...field('description')} label={shellTexts.description} multiline={2} />
    </EditForm>
  )
}

function SettingsFacts({ team }: { team: Team }) {
  const why = useWhyNot()(operation)
  return (
    <>
      <Notice tone="neutral">{why}</Notice>
      <Facts
        items={[
          { term: shellTexts.name, value: team.name },
          { term: shellTexts.description, value: team.description || shellTexts.none },
        ]}
      />
    </>
  )
}
