import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { LoaderCircle, type LucideIcon, Search } from 'lucide-react'
import type { ClipboardEvent } from 'react'
import styles from './command-palette.module.css'

export interface Command {
  id: string
  label: string
  hint?: string
  icon?: LucideIcon
  onSelect: () => void
}

export interface CommandGroup {
  label: string
  items: Command[]
}

interface CommandPaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The accessible name, and the placeholder. */
  label: string
  /** The commands that match the text, the best first. */
  groups: CommandGroup[]
  text: string
  onTextChange: (text: string) => void
  onPaste: (event: ClipboardEvent) => void
  loading: boolean
  emptyText: string
  /** The hint at the foot: the other texts that the field accepts. */
  hint: string
  closeLabel: string
}

/** A single field for all commands: typed text narrows them, Enter runs the highlighted one. */
export function CommandPalette({
  open,
  onOpenChange,
  label,
  groups,
  text,
  onTextChange,
  onPaste,
  loading,
  emptyText,
  hint,
  closeLabel,
}: CommandPaletteProps) {
  const select = ({ onSelect }: Command) => {
    onOpenChange(false)
    onSelect()
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.popup} aria-label={label} data-leads="">
            <Autocomplete.Root
              open
              inline
              items={groups.map((group) => ({ value: group.label, items: group.items }))}
              filter={null}
              itemToStringValue={(item: Command) => item.label}
              value={text}
              onValueChange={(value, { reason }) => reason !== 'item-press' && onTextChange(value)}
              autoHighlight="always"
            >
              <Autocomplete.InputGroup className={styles.field}>
                {loading ? <LoaderCircle size={16} aria-hidden className={styles.spinner} /> : <Search size={16} aria-hidden />}
                <Autocomplete.Input className={styles.input} aria-label={label} placeholder={label} onPaste={onPaste} />
              </Autocomplete.InputGroup>
              <Dialog.Close className="visually-hidden">{closeLabel}</Dialog.Close>
              <Autocomplete.Empty className={styles.empty}>{!loading && emptyText}</Autocomplete.Empty>
              <Autocomplete.List className={styles.list}>
                {(group: { value: string; items: Command[] }) => (
                  <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
                    <Autocomplete.GroupLabel className={styles.label}>{group.value}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: Command) => (
                        <Autocomplete.Item key={item.id} value={item} onClick={() => select(item)} className={styles.item}>
                          {item.icon && <item.icon size={16} aria-hidden />}
                          <span className={styles.name}>{item.label}</span>
                          {item.hint && <span className={styles.hint}>{item.hint}</span>}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
              <p className={styles.foot}>{hint}</p>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
