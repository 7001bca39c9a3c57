import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { useMay } from '../../api/profile.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { ListSkeleton } from '../../parts/list-skeleton.tsx'
import type { PickedItem } from '../../parts/picker-searches.ts'
import { Picker } from '../../parts/pickers.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FormSection } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './directories.module.css'
import { DirectoryForm } from './directory-form.tsx'
import { MappingsImpact } from './mappings-impact.tsx'

type Name = keyof typeof t.groupNames
interface Row {
  by: Name
  group: string
  roleIds: string[]
  teamIds: string[]
}

const rowOf = ({ group, ...given }: Directory['groupMappings'][number]): Row =>
  'displayName' in group
    ? { by: 'displayName', group: group.displayName, ...given }
    : { by: 'externalId', group: group.externalId, ...given }
const sentOf = ({ by, group, ...gives }: Row) => ({ group: { [by]: group.trim() }, ...gives })
const valuesOf = ({ groupMappings }: Directory) => ({ groupMappings: groupMappings.map(rowOf) })

/** The names of roles or teams by id, as far as the user may read them. */
function useNames(of: 'roles' | 'teams') {
  const enabled = useMay()(`GET /v1/admin/${of}`)
  const { data, isLoading } = useQuery({
    queryKey: [of, 'mapped'],
    queryFn: ({ signal }) => answerOf(api.GET(`/v1/admin/${of}`, { params: { query: { limit: 100 } }, signal })),
    enabled,
  })
  const [picked, setPicked] = useState<PickedItem[]>([])
  const known = [...picked, ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]
  const itemOf = (id: string) => known.find(({ value }) => value === id) ?? { value: id, label: id }
  return { isReadable: enabled, isLoading, itemOf, add: (items: PickedItem[]) => setPicked((former) => [...former, ...items]) }
}

/** The roles and teams that the members of groups get. */
export function DirectoryGroups({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const edit = useEdit(valuesOf(directory), tag)
  const rows = edit.values.groupMappings
  const names = { roleIds: useNames('roles'), teamIds: useNames('teams') }
  const { ask, question } = useQuestion()
  const addButton = useRef<HTMLButtonElement>(null)
  const setRows = (changed: Row[]) => edit.set('groupMappings', changed)
  const change = (at: number, changed: Partial<Row>) => setRows(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)))
  const given = ({ roleIds, teamIds }: Row) =>
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
        fields={rows.flatMap((_, index) => ['group', 'roleIds', 'teamIds'].map((field) => `groupMappings.${index}.${field}`))}
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
        {rows.length === 0 && <p>{t.noMappings}</p>}
        {rows.map((row, index) => {
          const picker = (field: 'roleIds' | 'teamIds') =>
            names[field].isReadable && (
              <Picker
                of={field === 'roleIds' ? 'roles' : 'teams'}
                multiple
                name={`groupMappings.${index}.${field}`}
                label={field === 'roleIds' ? t.givesRoles : t.givesTeams}
                value={row[field].map(names[field].itemOf)}
                onValueChange={(items) => {
                  names[field].add(items)
                  change(index, { [field]: items.map(({ value }) => value) })
                }}
              />
            )
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number is what tells the rows apart
            <FormSection key={index} title={row.group || t.group}>
              <div className={styles.mapping}>
                <Select
                  label={t.groupBy}
                  value={row.by}
                  onValueChange={(by) => change(index, { by: by as Name })}
                  options={Object.entries(t.groupNames).map(([value, label]) => ({ value, label }))}
                />
                <TextField
                  name={`groupMappings.${index}.group`}
                  label={t.group}
                  required
                  autoFocus={row.group === ''}
                  value={row.group}
                  onValueChange={(group) => change(index, { group })}
                />
                {picker('roleIds')}
                {picker('teamIds')}
                <IconButton
                  icon={X}
                  label={shellTexts.remove({ label: row.group || t.group })}
                  onClick={() => {
                    setRows(rows.filter((_, at) => at !== index))
                    addButton.current?.focus()
                  }}
                />
              </div>
            </FormSection>
          )
        })}
        <div>
          <Button
            small
            variant="quiet"
            icon={Plus}
            ref={addButton}
            onClick={() => setRows([...rows, { by: 'displayName', group: '', roleIds: [], teamIds: [] }])}
          >
            {t.addMapping}
          </Button>
        </div>
      </DirectoryForm>
      {question}
    </>
  )
}
