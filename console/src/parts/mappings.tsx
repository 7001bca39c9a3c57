import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { connectionsTexts as t } from '../texts/connections.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { FormSection } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { Mapping, MappingsName } from './mapping-rows.ts'
import styles from './mappings.module.css'
import { Picker } from './pickers.tsx'
import { useNames } from './use-names.ts'

interface MappingsProps {
  of: 'roles' | 'teams'
  name: MappingsName
  id: 'roleId' | 'teamId'
  rows: readonly Mapping[]
  /** Names to offer. */
  claims?: readonly string[]
  /** Where the field is in the body, if it is nested. */
  within?: string
  onRowsChange: (rows: Mapping[]) => void
}

/** Maps values of a claim to roles or teams. */
export function Mappings({ of, name, id, rows, claims = [], within = '', onRowsChange }: MappingsProps) {
  const names = useNames(
    of,
    rows.map((row) => row[id] ?? ''),
  )
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (at: number, changed: Partial<Mapping>) =>
    onRowsChange(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)))
  return (
    <FormSection title={t.fields[name]}>
      {rows.map((row, index) => {
        const chosen = row[id]
        const text = (field: 'claim' | 'value', label: string) => (
          <TextField
            name={`${within}${name}.${index}.${field}`}
            label={label}
            mono
            required
            autoFocus={field === 'value' && row.value === ''}
            value={row[field]}
            suggestions={field === 'claim' ? claims : []}
            onValueChange={(value) => change(index, { [field]: value })}
          />
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is what tells the rows apart
          <div key={index} className={styles.mapping}>
            <div className={styles.claim}>
              {text('claim', t.claim)}
              {text('value', t.value)}
              <Picker
                of={of}
                name={`${within}${name}.${index}.${id}`}
                label={t.gives[of]}
                value={chosen ? [names.itemOf(chosen)] : []}
                onValueChange={(items) => {
                  names.add(items)
                  change(index, { [id]: items.at(-1)?.value ?? '' })
                }}
              />
              <IconButton
                icon={X}
                label={shellTexts.remove({ label: row.value || t.gives[of] })}
                onClick={() => {
                  onRowsChange(rows.filter((_, at) => at !== index))
                  addButton.current?.focus()
                }}
              />
            </div>
          </div>
        )
      })}
      <div>
        <Button
          small
          variant="quiet"
          icon={Plus}
          ref={addButton}
          onClick={() => onRowsChange([...rows, { claim: t.defaults.groups, value: '', [id]: '' }])}
        >
          {t.addMapping[of]}
        </Button>
      </div>
    </FormSection>
  )
}
