import { mergeProps } from '@base-ui/react/merge-props'
import { cloneElement, type FocusEvent, type PointerEvent, type ReactElement, useState } from 'react'
import type { LoadedTooltip } from './loaded-tooltip.tsx'

/** The time that the pointer has to stay. */
const delayMilliseconds = 300

let loaded: typeof LoadedTooltip | undefined
const load = async () => {
  loaded ??= (await import('./loaded-tooltip.tsx')).LoadedTooltip
}

/**
 * A visual hint on hover and focus. Anything that a screen reader needs is in the name or description of the element itself.
 *
 * The first page is loaded without the code of tooltips, which is a fifth of it. An element that is hovered or focused is rendered again
 * with its tooltip, but never while it is pressed: the click would be lost.
 */
export function Tooltip({ text, children }: { text: string | undefined; children: ReactElement }) {
  const [state, setState] = useState<'plain' | 'hovered' | 'focused'>('plain')
  if (state !== 'plain' && loaded) {
    const Loaded = loaded
    return (
      <Loaded text={text} hadFocus={state === 'focused'}>
        {children}
      </Loaded>
    )
  }
  const wake = async ({ currentTarget }: PointerEvent<HTMLElement> | FocusEvent<HTMLElement>) => {
    await Promise.all([load(), new Promise((resolve) => setTimeout(resolve, delayMilliseconds))])
    if (currentTarget.matches(':active')) return
    if (currentTarget.matches(':focus-visible')) setState('focused')
    else if (currentTarget.matches(':hover') && document.activeElement !== currentTarget) setState('hovered')
  }
  if (!text) return children
  const child = children as ReactElement<Record<string, unknown>>
  return cloneElement(child, mergeProps<'span'>({ onPointerEnter: wake, onFocus: wake }, child.props))
}
