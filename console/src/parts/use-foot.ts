import { type RefObject, useLayoutEffect } from 'react'

/** Sets the height of the bar at the foot of the page, so that a focused element scrolls out from under it. */
export function useFoot(bar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--foot', `${bar.current?.offsetHeight ?? 0}px`))
    if (bar.current) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--foot')
    }
  }, [bar])
}
