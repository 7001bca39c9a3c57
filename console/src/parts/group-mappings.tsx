import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import type { Directory } from '../api/directories.ts'
import { directoriesTexts as t } from '../texts/directories.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FormSection } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './mappings.module.css'
import { Picker } from './pickers.tsx'
import { useNames } from './use-names.ts'

type Name = keyof typeof t.groupNames
export interface GroupRow {
  by: Name
  group: string
  roleIds: string[]
  teamIds: string[]
}

/** A mapping as the form has it. */
export const rowOf = ({ group, ...given }: Directory['groupMappings'][number]): GroupRow =>
  'displayName' in group
    ? { by: 'displayName', group: group.displayName, ...given }
    : { by: 'externalId', group: group.externalId, ...given }

export const sentOf = ({ by, group, ...gives }: GroupRow) => ({ group: { [by]: group.trim() }, ...gives })

/** The names of what groups give as it is stored; the names of what is chosen are added. */
export const useGivenNames = (rows: readonly GroupRow[]) => ({
  roleIds: useNames(
    'roles',
    rows.flatMap(({ roleIds }) => roleIds),
  ),
  teamIds: useNames(
    'teams',
    rows.flatMap(({ teamIds }) => teamIds),
  ),
})

/** The fields of the rows, at which mistakes are shown. */
export const placesOf = (rows: readonly GroupRow[]): string[] =>
  rows.flatMap((_, index) => ['group', 'roleIds', 'teamIds'].map((field) => `groupMappings.${index}.${field}`))

interface GroupMappingsProps {
  rows: readonly GroupRow[]
  names: ReturnType<typeof useGivenNames>
  /** Where the field is in the body, if it is nested. */
  within?: string
  onRowsChange: (rows: GroupRow[]) => void
}

/** Maps groups of a directory to the roles and teams that their members get. */
export function GroupMappings({ rows, names, within = '', onRowsChange }: GroupMappingsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (at: number, changed: Partial<GroupRow>) =>
    onRowsChange(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)))
  return (
    <>
      {rows.length === 0 && <p>{t.noMappings}</p>}
      {rows.map((row, index) => {
        const picker = (field: 'roleIds' | 'teamIds') => (
          <Picker
            of={field === 'roleIds' ? 'roles' : 'teams'}
            multiple
            name={`${within}groupMappings.${index}.${field}`}
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
              <div className={styles.group}>
                <Select
                  label={t.groupBy}
                  value={row.by}
                  onValueChange={(by) => change(index, { by: by as Name })}
                  options={Object.entries(t.groupNames).map(([value, label]) => ({ value, label }))}
                />
                <TextField
                  name={`${within}groupMappings.${index}.group`}
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
                    onRowsChange(rows.filter((_, at) => at !== index))
                    addButton.current?.focus()
                  }}
                />
              </div>
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
          onClick={() => onRowsChange([...rows, { by: 'displayName', group: '', roleIds: [], teamIds: [] }])}
        >
          {t.addMapping}
        </Button>
      </div>
    </>
  )
}
