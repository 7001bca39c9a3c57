import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { usePopupContainer } from './popup-container.ts'
import styles from './tooltip.module.css'

/** A hint for the eye on hover and focus. What a screen reader must know stands in the name or description of the element itself. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger delay={300} closeOnClick={false} render={children as ReactElement<Record<string, unknown>>} />
      <BaseTooltip.Portal container={usePopupContainer()}>
        <BaseTooltip.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <BaseTooltip.Popup className={styles.popup}>{text}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
