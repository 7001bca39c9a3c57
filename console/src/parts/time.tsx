import { useSyncExternalStore } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'
import { formatExact, formatRelative } from './format.ts'
import { usePreference } from './use-preference.ts'

interface TimeProps {
  /** ISO 8601 */
  at: string
  /** With seconds and zone, instead of relative to now. */
  exact?: boolean
}

/** A time relative to now with the exact one on hover and focus, or the exact one. Copied as text it is what is shown. */
export function Time({ at, exact = false }: TimeProps) {
  usePreference('zone')
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / 60_000))
  if (exact) return <time dateTime={at}>{formatExact(at)}</time>
  return (
    <Tooltip text={formatExact(at)}>
      <time dateTime={at}>{formatRelative(at)}</time>
    </Tooltip>
  )
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all times that are shown. */
function everyMinute(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const one of listeners) one()
  }, 60_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
