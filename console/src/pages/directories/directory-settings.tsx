import { useQuery } from '@tanstack/react-query'
import { connectionsQuery } from '../../api/connections.ts'
import type { Directory } from '../../api/directories.ts'
import { useMay } from '../../api/profile.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DirectoryForm } from './directory-form.tsx'

const valuesOf = ({ name, userMatch, connectionId, emailChanges, deletes, groups }: Directory) => ({
  ...{ name, userMatch, connectionId: connectionId ?? '', emailChanges, deletes, groups },
})
type Choice = keyof typeof t.choices

/** How a directory treats users and groups. */
export function DirectorySettings({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const edit = useEdit(valuesOf(directory), tag)
  const { values, field } = edit
  const { data } = useQuery({ ...connectionsQuery, enabled: useMay()('GET /v1/admin/connections') })
  const names = new Map([
    ...(directory.connectionId ? [[directory.connectionId, directory.connectionId] as const] : []),
    ...(data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const choice = (name: Choice) => (
    <Select {...field(name)} label={t.fields[name]} options={Object.entries(t.choices[name]).map(([value, label]) => ({ value, label }))} />
  )
  const wordOf = (name: Choice) => ({ term: t.fields[name], value: (t.choices[name] as Record<string, string>)[directory[name]] })
  return (
    <DirectoryForm
      directory={directory}
      title={t.settings}
      edit={edit}
      valuesOf={valuesOf}
      bodyOf={({ connectionId, ...rest }) => ({ ...rest, ...(connectionId !== undefined && { connectionId: connectionId || null }) })}
      facts={[{ term: t.fields.name, value: directory.name }, ...(['userMatch', 'emailChanges', 'deletes', 'groups'] as const).map(wordOf)]}
    >
      <TextField {...field('name')} label={t.fields.name} required maxLength={255} />
      {choice('userMatch')}
      {(values.userMatch === 'externalId' || values.connectionId !== '') && (
        <Select
          {...field('connectionId')}
          label={t.fields.connectionId}
          options={[{ value: '', label: shellTexts.none }, ...[...names].map(([value, label]) => ({ value, label }))]}
        />
      )}
      {choice('emailChanges')}
      {choice('deletes')}
      {choice('groups')}
    </DirectoryForm>
  )
}
