import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import { type ReactElement, useLayoutEffect, useRef } from 'react'
import { usePopupContainer } from './popup-container.ts'
import styles from './tooltip.module.css'

interface LoadedTooltipProps {
  /** Without one nothing is shown; the element stays the same one. */
  text: string | undefined
  children: ReactElement
  /** Whether the element had the focus before it was rendered again. */
  hadFocus: boolean
}

/** The actual tooltip, whose code is loaded with the first element that is hovered or focused. */
export function LoadedTooltip({ text, children, hadFocus }: LoadedTooltipProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hadFocus) trigger.current?.focus({ preventScroll: true })
  }, [hadFocus])
  return (
    // The surrounding dialog closes by the same Esc.
    <BaseTooltip.Root defaultOpen disabled={!text} onOpenChange={(_open, { allowPropagation }) => allowPropagation()}>
      <BaseTooltip.Trigger ref={trigger} delay={300} closeOnClick={false} render={children as ReactElement<Record<string, unknown>>} />
      <BaseTooltip.Portal container={usePopupContainer()}>
        <BaseTooltip.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <BaseTooltip.Popup className={styles.popup}>{text}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
