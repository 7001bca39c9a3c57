import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { GroupMappings, type GroupRow, placesOf, rowOf, sentOf, useGivenNames } from '../../parts/group-mappings.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { DirectoryForm } from './directory-form.tsx'
import { MappingsImpact } from './mappings-impact.tsx'

const valuesOf = ({ groupMappings }: Directory) => ({ groupMappings: groupMappings.map(rowOf) })

/** The roles and teams that the members of groups get. */
export function DirectoryGroups({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const edit = useEdit(valuesOf(directory), tag)
  const rows = edit.values.groupMappings
  const names = useGivenNames(valuesOf(directory).groupMappings)
  const { ask, question } = useQuestion()
  const given = ({ roleIds, teamIds }: GroupRow) =>
    [...roleIds.map((id) => names.roleIds.itemOf(id).label), ...teamIds.map((id) => names.teamIds.itemOf(id).label)].join(', ')
  // Identifiers are longer than the names that take their place.
  if (names.roleIds.isLoading || names.teamIds.isLoading) return <ListSkeleton columns={2} rows={4} />
  return (
    <>
      <DirectoryForm
        directory={directory}
        title={t.mappings}
        description={t.mappingsDescription}
        edit={edit}
        valuesOf={valuesOf}
        bodyOf={() => ({ groupMappings: rows.map(sentOf) })}
        facts={rows.map((row) => ({ term: row.group, value: given(row) }))}
        fields={placesOf(rows)}
        before={async () => {
          const body = { groupMappings: rows.map(sentOf) }
          const impact = await answerOf(api.POST('/v1/admin/directories/{id}/impact', { params: { path: { id: directory.id } }, body }))
          const counted = (changes: typeof impact.roles, of: 'roleIds' | 'teamIds') =>
            changes.map(({ id, ...numbers }) => ({ id, name: names[of].itemOf(id).label, ...numbers }))
          return ask({
            title: t.mappingsQuestion(directory.name),
            body: (
              <>
                <MappingsImpact roles={counted(impact.roles, 'roleIds')} teams={counted(impact.teams, 'teamIds')} />
                <p>{t.mappingsEffect}</p>
              </>
            ),
            action: shellTexts.save,
            danger: true,
          })
        }}
      >
        <GroupMappings rows={rows} names={names} onRowsChange={(changed) => edit.set('groupMappings', changed)} />
      </DirectoryForm>
      {question}
    </>
  )
}
