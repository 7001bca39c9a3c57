import { Field } from '@base-ui/react/field'
import { Fieldset } from '@base-ui/react/fieldset'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldError } from './field.tsx'
import styles from './radio-cards.module.css'

export interface RadioCardsProps {
  legend: string
  name: string
  hint?: ReactNode
  options: { value: string; label: string; hint?: ReactNode; icon?: LucideIcon; disabledReason?: string }[]
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  /** Two in a row on a phone, for many choices that their names explain. */
  compact?: boolean
}

/** One choice of a few that each need an explanation. */
export function RadioCards({ legend, name, hint, options, value, defaultValue, onValueChange, compact }: RadioCardsProps) {
  const group = <RadioGroup {...{ value, defaultValue }} onValueChange={(chosen: string) => onValueChange?.(chosen)} />
  return (
    <Field.Root name={name} className={styles.field}>
      <Fieldset.Root render={group}>
        <Fieldset.Legend className={styles.legend}>{legend}</Fieldset.Legend>
        {hint && <Field.Description className={styles.hint}>{hint}</Field.Description>}
        <div className={classNames(styles.cards, compact && styles.compact)}>
          {options.map(({ icon: Icon, ...option }) => (
            <Field.Item key={option.value} className={styles.card} disabled={Boolean(option.disabledReason)}>
              <Field.Label className={styles.label}>
                <Radio.Root value={option.value} className={styles.radio}>
                  <Radio.Indicator className={styles.dot} />
                </Radio.Root>
                {Icon && <Icon size={16} aria-hidden className={styles.icon} />}
                {option.label}
              </Field.Label>
              {(option.disabledReason ?? option.hint) && (
                <Field.Description className={styles.explanation}>{option.disabledReason ?? option.hint}</Field.Description>
              )}
            </Field.Item>
          ))}
        </div>
      </Fieldset.Root>
      <FieldError />
    </Field.Root>
  )
}
