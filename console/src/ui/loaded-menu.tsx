import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { type ReactElement, useRef } from 'react'
import { classNames } from './class-names.ts'
import { chooseFrom } from './menu-button.ts'
import type { MenuAction, MenuChoice, MenuProps } from './menu-items.ts'
import popup from './popup.module.css'
import { usePopupContainer } from './popup-container.ts'

/** The actual menu, opened at once: its code is loaded because the user requested it. */
export function LoadedMenu({ trigger, items, label }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger ref={button} render={trigger as ReactElement<Record<string, unknown>>} />
      <BaseMenu.Portal container={usePopupContainer()}>
        <BaseMenu.Positioner sideOffset={4} align="end" collisionPadding={8} className={popup.positioner}>
          <BaseMenu.Popup className={classNames(popup.popup, popup.list)} aria-label={label}>
            {items.map((item, index) =>
              item === 'separator' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have nothing else to tell them apart
                <BaseMenu.Separator key={index} className={popup.separator} />
              ) : 'checked' in item ? (
                <Choice key={item.label} {...item} />
              ) : (
                <Entry key={item.label} {...item} onChoose={() => chooseFrom(button.current)} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

function Choice({ label, checked, onCheckedChange }: MenuChoice) {
  return (
    <BaseMenu.CheckboxItem label={label} checked={checked} onCheckedChange={onCheckedChange} className={popup.item}>
      <span className={popup.words}>{label}</span>
      <BaseMenu.CheckboxItemIndicator className={popup.chosen}>
        <Check size={16} aria-hidden />
      </BaseMenu.CheckboxItemIndicator>
    </BaseMenu.CheckboxItem>
  )
}

function Entry({ label, icon: Icon, onSelect, onChoose, href, danger, disabledReason }: MenuAction & { onChoose: () => void }) {
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
    <BaseMenu.Item
      label={label}
      disabled={Boolean(disabledReason)}
      className={className}
      onClick={() => {
        onChoose()
        onSelect?.()
      }}
    >
      {content}
    </BaseMenu.Item>
  )
}
