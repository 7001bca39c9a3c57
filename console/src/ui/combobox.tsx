import { Combobox as BaseCombobox } from '@base-ui/react/combobox'
import { Check, ChevronDown, LoaderCircle, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './combobox.module.css'
import field from './field.module.css'
import { FieldFrame } from './field.tsx'
import popup from './popup.module.css'
import { usePopupContainer } from './popup-container.ts'

export interface ComboboxItem {
  value: string
  label: string
  hint?: string
}

interface ComboboxLook {
  label: string
  name?: string
  /** The current choices. With `onQueryChange` they come from an external search and are not filtered again. */
  items: ComboboxItem[]
  onQueryChange?: (text: string) => void
  loading?: boolean
  placeholder?: string
  /** The text while nothing is found yet. */
  loadingText?: string
  /** The text when nothing matches. */
  emptyText: string
  /** The text below the items, such as that they are not all. */
  foot?: string | undefined
  hint?: ReactNode
  labelHidden?: boolean
  optional?: string
  required?: boolean
  /** The accessible name of the button that removes a chosen item. */
  removeLabel?: (item: ComboboxItem) => string
  className?: string
  autoFocus?: boolean
}

/** The value is the chosen item itself, or items, since it may not be among the found items. */
export type ComboboxProps = ComboboxLook &
  (
    | { multiple: true; value: ComboboxItem[]; onValueChange: (value: ComboboxItem[]) => void }
    | { multiple?: false; value: ComboboxItem | null; onValueChange: (value: ComboboxItem | null) => void }
  )

export function Combobox(props: ComboboxProps) {
  const { label, name, hint, labelHidden, optional, placeholder, loading, removeLabel, className } = props
  const anchor = useRef<HTMLDivElement>(null)
  const chosen = props.multiple ? props.value : []
  const choose = (value: ComboboxItem[] | ComboboxItem | null, change: BaseCombobox.Root.ChangeEventDetails) => {
    if (change.reason === 'escape-key') return keep(change)
    if (props.multiple) props.onValueChange((value as ComboboxItem[]) ?? [])
    else props.onValueChange(value as ComboboxItem | null)
  }
  const type = (text: string, change: BaseCombobox.Root.ChangeEventDetails) => {
    if (change.reason === 'escape-key' && text === '' && !props.multiple && props.value !== null) return keep(change)
    props.onQueryChange?.(text)
  }
  return (
    <FieldFrame {...{ name, label, hint, labelHidden, optional, className }}>
      <BaseCombobox.Root
        items={props.items}
        {...(props.onQueryChange && { filter: null })}
        onInputValueChange={type}
        multiple={props.multiple as true}
        required={props.required}
        value={props.value as ComboboxItem[]}
        onValueChange={choose}
        isItemEqualToValue={(item: ComboboxItem, value: ComboboxItem) => item.value === value.value}
        itemToStringLabel={(item: ComboboxItem) => item.label}
        itemToStringValue={(item: ComboboxItem) => item.value}
        autoHighlight
      >
        <BaseCombobox.InputGroup ref={anchor} className={classNames(field.control, styles.group)}>
          <BaseCombobox.Chips className={styles.chips}>
            {chosen.map((item) => (
              <BaseCombobox.Chip key={item.value} className={styles.chip}>
                {item.label}
                <BaseCombobox.ChipRemove className={styles.remove} aria-label={removeLabel?.(item) ?? item.label}>
                  <X size={12} aria-hidden />
                </BaseCombobox.ChipRemove>
              </BaseCombobox.Chip>
            ))}
            <BaseCombobox.Input
              className={styles.input}
              autoFocus={props.autoFocus}
              placeholder={chosen.length > 0 ? undefined : placeholder}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.currentTarget.value === '') return
                // With nothing to choose, it would send the form without what was typed, and close the search.
                event.preventDefault()
                if (props.items.length === 0) event.preventBaseUIHandler()
              }}
            />
          </BaseCombobox.Chips>
          <BaseCombobox.Icon className={styles.icon}>
            {loading ? <LoaderCircle size={16} aria-hidden className={styles.spinner} /> : <ChevronDown size={16} aria-hidden />}
          </BaseCombobox.Icon>
        </BaseCombobox.InputGroup>
        <BaseCombobox.Portal container={usePopupContainer()}>
          <BaseCombobox.Positioner anchor={anchor} sideOffset={4} align="start" className={popup.positioner}>
            <BaseCombobox.Popup className={classNames(popup.popup, popup.fixedWidth)} aria-busy={loading || undefined}>
              <BaseCombobox.Empty className={popup.empty}>{loading ? props.loadingText : props.emptyText}</BaseCombobox.Empty>
              <BaseCombobox.List className={styles.list}>
                {(item: ComboboxItem) => <Option key={item.value} item={item} />}
              </BaseCombobox.List>
              <BaseCombobox.Status className={styles.foot}>{props.foot}</BaseCombobox.Status>
            </BaseCombobox.Popup>
          </BaseCombobox.Positioner>
        </BaseCombobox.Portal>
      </BaseCombobox.Root>
    </FieldFrame>
  )
}

/** Ignores Escape without an open popup, which would clear the choice, so that it acts as in any other field. */
function keep(change: BaseCombobox.Root.ChangeEventDetails): void {
  change.cancel()
  change.allowPropagation()
}

function Option({ item }: { item: ComboboxItem }) {
  return (
    <BaseCombobox.Item value={item} className={popup.item}>
      <span className={popup.words}>
        {item.label}
        {item.hint && <span className={popup.hint}>{item.hint}</span>}
      </span>
      <BaseCombobox.ItemIndicator className={popup.chosen}>
        <Check size={16} aria-hidden />
      </BaseCombobox.ItemIndicator>
    </BaseCombobox.Item>
  )
}
