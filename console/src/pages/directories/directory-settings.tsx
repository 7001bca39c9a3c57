import { useQuery } from '@tanstack/react-query'
import { trustedOf, trustRules } from '../../../../shared/trusted-settings.ts'
import { connectionsQuery } from '../../api/connections.ts'
import type { Directory } from '../../api/directories.ts'
import { useMay } from '../../api/profile.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DirectoryForm } from './directory-form.tsx'
import { MappingsImpact } from './mappings-impact.tsx'
import { useGroupsImpact } from './use-groups-impact.ts'

const valuesOf = ({ name, userMatch, connectionId, emailChanges, deletes, groups }: Directory) => ({
  ...{ name, userMatch, connectionId: connectionId ?? '', emailChanges, deletes, groups },
})
type Choice = keyof typeof t.choices

/** How a directory treats users and groups. */
export function DirectorySettings({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const edit = useEdit(valuesOf(directory), tag)
  const { values, field } = edit
  const { data } = useQuery({ ...connectionsQuery, enabled: useMay()('GET /v1/admin/connections') })
  const { askAboutTrust, question: trustQuestion } = useTrustQuestion()
  const { ask, question } = useQuestion()
  const impactOfGroups = useGroupsImpact()
  const names = new Map([
    ...(directory.connectionId ? [[directory.connectionId, directory.connectionId] as const] : []),
    ...(data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ])
  const choice = (name: Choice) => (
    <Select {...field(name)} label={t.fields[name]} options={Object.entries(t.choices[name]).map(([value, label]) => ({ value, label }))} />
  )
  /** Asks before what ends teams of users at once, or their accounts later. */
  const askAboutEffect = async ({ groups, deletes }: Partial<typeof values>): Promise<boolean> => {
    if (groups === undefined && deletes !== 'delete') return true
    const impact = groups === undefined ? undefined : await impactOfGroups(directory, groups)
    return ask({
      title: t.settingsQuestion(directory.name),
      body: (
        <>
          {impact && <MappingsImpact {...impact} />}
          {impact && <p>{t.groupsEffect[groups as keyof typeof t.groupsEffect]}</p>}
          {deletes === 'delete' && <p>{t.deletesEffect}</p>}
        </>
      ),
      action: shellTexts.save,
      danger: true,
    })
  }
  const wordOf = (name: Choice, of: typeof values | Directory = directory) => ({
    term: t.fields[name],
    value: (t.choices[name] as Record<string, string>)[of[name]],
  })
  return (
    <>
      <DirectoryForm
        directory={directory}
        title={t.settings}
        edit={edit}
        valuesOf={valuesOf}
        bodyOf={({ connectionId, ...rest }) => ({ ...rest, ...(connectionId !== undefined && { connectionId: connectionId || null }) })}
        before={async (changes) => {
          if (!(await askAboutEffect(changes))) return false
          // An inactive directory reaches no account: activating it asks the question.
          if (!directory.isActive || trustedOf(trustRules.directory, directory, changes).length === 0) return true
          const connection = { term: t.fields.connectionId, value: names.get(values.connectionId) ?? shellTexts.none }
          return askAboutTrust({
            of: 'directory',
            name: directory.name,
            decided: <Facts items={[wordOf('userMatch', values), connection, wordOf('emailChanges', values)]} />,
          })
        }}
        facts={[
          { term: t.fields.name, value: directory.name },
          ...(['userMatch', 'emailChanges', 'deletes', 'groups'] as const).map((name) => wordOf(name)),
        ]}
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
      {question}
      {trustQuestion}
    </>
  )
}
