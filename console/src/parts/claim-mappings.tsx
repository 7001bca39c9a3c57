import { Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { claimsTexts as t } from '../texts/claims.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { FormRow } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { ClaimRow, ClaimTarget } from './claim-rows.ts'
import styles from './claims.module.css'

const forms = ['', 'string', 'number', 'boolean', 'array', 'first', 'join', 'lowercase'] as const
const pointers = [
  '/user/metadata/',
  '/user/teams',
  '/user/roles',
  '/organisation/metadata/',
  '/organisation/slug',
  '/identity/',
  '/session/acr',
]
const mappingsMax = 20

/** The names of the fields of the rows, for their mistakes. */
export const namesOfRows = (rows: readonly ClaimRow[]): string[] =>
  rows.flatMap((_, index) => ['name', 'from', 'as', 'in', 'scope', 'default'].map((field) => `claimMappings.${index}.${field}`))

interface ClaimMappingsProps {
  rows: readonly ClaimRow[]
  targets: readonly ClaimTarget[]
  onRowsChange: (rows: ClaimRow[]) => void
}

/** Claims as rows: from where to which name, in which form, and in which tokens. */
export function ClaimMappings({ rows, targets, onRowsChange }: ClaimMappingsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const change = (at: number, changed: Partial<ClaimRow>) =>
    onRowsChange(rows.map((row, index) => (index === at ? { ...row, ...changed } : row)))
  return (
    <>
      <p>{rows.length === 0 ? t.none : t.fromHint}</p>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what tells the rows apart
        <div key={index} className={styles.row}>
          <TextField
            name={`claimMappings.${index}.from`}
            label={t.from}
            mono
            required
            maxLength={8_192}
            suggestions={pointers}
            value={row.from}
            onValueChange={(from) => change(index, { from })}
          />
          <TextField
            name={`claimMappings.${index}.name`}
            label={t.name}
            mono
            required
            maxLength={255}
            value={row.name}
            onValueChange={(name) => change(index, { name })}
          />
          <Select
            name={`claimMappings.${index}.as`}
            label={t.as}
            value={row.as}
            options={forms.map((value) => ({ value, label: value === '' ? t.asItIs : t.forms[value] }))}
            onValueChange={(as) => change(index, { as: as as ClaimRow['as'] })}
          />
          <IconButton
            icon={X}
            label={shellTexts.remove({ label: row.name || t.name })}
            onClick={() => {
              onRowsChange(rows.filter((_, at) => at !== index))
              addButton.current?.focus()
            }}
          />
          <fieldset className={`${styles.wide} ${styles.targets}`} aria-label={t.in}>
            {targets.map((target) => (
              <Checkbox
                key={target}
                label={t.targets[target]}
                checked={row.in.includes(target)}
                onCheckedChange={(checked) =>
                  change(index, { in: targets.filter((one) => (one === target ? checked : row.in.includes(one))) })
                }
              />
            ))}
          </fieldset>
          <div className={styles.wide}>
            <Disclosure title={t.more} defaultOpen={row.scope !== '' || row.default !== ''}>
              <FormRow>
                <TextField
                  name={`claimMappings.${index}.scope`}
                  label={t.scope}
                  mono
                  maxLength={255}
                  value={row.scope}
                  onValueChange={(scope) => change(index, { scope })}
                />
                <TextField
                  name={`claimMappings.${index}.default`}
                  label={t.default}
                  hint={t.defaultHint}
                  mono
                  maxLength={8_192}
                  value={row.default}
                  onValueChange={(standIn) => change(index, { default: standIn })}
                />
              </FormRow>
            </Disclosure>
          </div>
        </div>
      ))}
      {rows.length < mappingsMax && (
        <div>
          <Button
            small
            variant="quiet"
            icon={Plus}
            ref={addButton}
            onClick={() =>
              onRowsChange([...rows, { name: '', from: '/user/metadata/', as: '', in: ['access_token'], scope: '', default: '' }])
            }
          >
            {t.add}
          </Button>
        </div>
      )}
    </>
  )
}
