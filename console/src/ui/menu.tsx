import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'
import { classNames } from './class-names.ts'
import popup from './popup.module.css'
import { usePopupContainer } from './popup-container.ts'

export interface MenuAction {
  label: string
  icon?: LucideIcon
  onSelect?: () => void
  /** A page to go to instead. */
  href?: string
  danger?: boolean
  /** Why it cannot be chosen, shown below the label. */
  disabledReason?: string
}

export interface MenuProps {
  trigger: ReactElement
  items: (MenuAction | 'separator')[]
  /** The accessible name of the menu. */
  label: string
}

export function Menu({ trigger, items, label }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <BaseMenu.Portal container={usePopupContainer()}>
        <BaseMenu.Positioner sideOffset={4} align="end" collisionPadding={8} className={popup.positioner}>
          <BaseMenu.Popup className={classNames(popup.popup, popup.list)} aria-label={label}>
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else to tell them apart
                <BaseMenu.Separator key={index} className={popup.separator} />
              ) : (
                <Entry key={item.label} {...item} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function Entry({ label, icon: Icon, onSelect, href, danger, disabledReason }: MenuAction) {
  const className = classNames(popup.item, danger && !disabledReason && popup.danger)
  const content = (
    <>
      {Icon && <Icon size={16} aria-hidden />}
      <span className={popup.words}>
        {label}
        {disabledReason && <span className={popup.hint}>{disabledReason}</span>}
      </span>
    </>
  )
  if (href && !disabledReason) {
    return (
      <BaseMenu.LinkItem href={href} label={label} className={className} onClick={onSelect} closeOnClick>
        {content}
      </BaseMenu.LinkItem>
    )
  }
  return (
    <BaseMenu.Item label={label} disabled={Boolean(disabledReason)} className={className} onClick={onSelect}>
      {content}
    </BaseMenu.Item>
  )
}
