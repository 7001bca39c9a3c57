import type { KeyboardEvent, ReactNode } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { FieldOfGroup } from '../ui/field-of-group.tsx'
import styles from './category-picker.module.css'

interface Choice {
  value: string
  hint?: string | undefined
  category: string
  disabledReason?: string | undefined
}

interface CategoryPickerProps {
  legend: string
  /** The name of the field in the API, whose mistakes are shown here. */
  name?: string | undefined
  choices: readonly Choice[]
  value: readonly string[]
  onValueChange: (value: string[]) => void
  /** A field that narrows the choices. Chosen items stay chosen when they are not shown. */
  search?: ReactNode
  /** The number of chosen items, or the notice that none matches. */
  status?: string
}

/** Chooses many of many items, by category, each category as a whole. */
export function CategoryPicker({ legend, name, choices, value, onValueChange, search, status }: CategoryPickerProps) {
  const categories = Map.groupBy(choices, ({ category }) => category)
  const chosen = new Set(value)
  const toggle = (values: string[], isChosen: boolean) =>
    onValueChange(isChosen ? [...new Set([...value, ...values])] : value.filter((one) => !values.includes(one)))
  return (
    <FieldOfGroup name={name} legend={legend} legendClass={styles.legend} className={styles.picker}>
      {search && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the key is that of the field within
        <div className={styles.search} onKeyDown={keepEnter}>
          {search}
          <span aria-live="polite" className={styles.status}>
            {status}
          </span>
        </div>
      )}
      {[...categories].map(([category, members]) => {
        const free = members.filter(({ disabledReason }) => disabledReason === undefined).map((member) => member.value)
        const count = members.filter((member) => chosen.has(member.value)).length
        return (
          <fieldset key={category} className={styles.category}>
            <legend className="visually-hidden">{category}</legend>
            <Checkbox
              label={t.allOf(category)}
              checked={count === members.length}
              indeterminate={count > 0 && count < members.length}
              disabledReason={free.length === 0 ? members[0]?.disabledReason : undefined}
              onCheckedChange={() => toggle(free, !free.every((one) => chosen.has(one)))}
            />
            <div className={styles.choices}>
              {members.map((member) => (
                <Checkbox
                  key={member.value}
                  label={member.value}
                  hint={member.hint}
                  checked={chosen.has(member.value)}
                  disabledReason={member.disabledReason}
                  onCheckedChange={(isChosen) => toggle([member.value], isChosen)}
                />
              ))}
            </div>
          </fieldset>
        )
      })}
    </FieldOfGroup>
  )
}

/** Prevents Enter in the search from sending the form around it. */
const keepEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}
