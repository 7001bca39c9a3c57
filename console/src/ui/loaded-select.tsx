import { Select as BaseSelect } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { classNames } from './class-names.ts'
import field from './field.module.css'
import { FieldFrame } from './field.tsx'
import popup from './popup.module.css'
import { usePopupContainer } from './popup-container.ts'
import styles from './select.module.css'
import type { SelectProps } from './select-props.ts'

/** The actual select, opened at once: its code is loaded because the user requested it. */
export function LoadedSelect({
  label,
  name,
  options,
  labelHidden,
  placeholder,
  hint,
  optional,
  className,
  onValueChange,
  ...select
}: SelectProps) {
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional, className }} notNative>
      <BaseSelect.Root defaultOpen {...select} items={options} onValueChange={(value) => value !== null && onValueChange?.(value)}>
        <BaseSelect.Trigger className={classNames(field.control, styles.trigger)}>
          <BaseSelect.Value placeholder={placeholder} className={styles.value} />
          <BaseSelect.Icon>
            <ChevronDown size={16} aria-hidden />
          </BaseSelect.Icon>
        </BaseSelect.Trigger>
        <BaseSelect.Portal container={usePopupContainer()}>
          <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={4} align="start" className={popup.positioner}>
            <BaseSelect.Popup className={classNames(popup.popup, popup.asWide)}>
              <BaseSelect.List className={popup.list}>
                {options.map((option) => (
                  <BaseSelect.Item key={option.value} value={option.value} className={popup.item}>
                    <BaseSelect.ItemText className={popup.words}>{option.label}</BaseSelect.ItemText>
                    <BaseSelect.ItemIndicator className={popup.chosen}>
                      <Check size={16} aria-hidden />
                    </BaseSelect.ItemIndicator>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.List>
            </BaseSelect.Popup>
          </BaseSelect.Positioner>
        </BaseSelect.Portal>
      </BaseSelect.Root>
    </FieldFrame>
  )
}
