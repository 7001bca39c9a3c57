import { useSyncExternalStore } from 'react'
import { Tooltip } from '../ui/tooltip.tsx'
import { formatDay, formatExact, formatRelative } from './format.ts'
import { usePreference } from './use-preference.ts'

interface TimeProps {
  /** The time in ISO 8601. */
  at: string
  /** Whether to show it with seconds and zone, instead of relative to now. */
  exact?: boolean
}

/** The limit of relative times: beyond it, rows of a list would all have the same text. */
const week = 7 * 86_400_000

/**
 * A time relative to now, or its day if it is more than a week away, with the exact one on hover; or the exact one. A list has
 * many times: none takes the focus, and a user without a pointer can prefer exact ones everywhere. `copyTimes` says what is copied.
 */
export function Time({ at, exact = false }: TimeProps) {
  usePreference('zone')
  const formatRelative = useFormatRelative()
  const prefersExact = usePreference('times') === 'exact'
  if (exact || prefersExact) return <time dateTime={at}>{formatExact(at)}</time>
  return (
    <Tooltip text={formatExact(at)}>
      <time dateTime={at}>{Math.abs(Date.parse(at) - Date.now()) < week ? formatRelative(at) : formatDay(at)}</time>
    </Tooltip>
  )
}

/** `formatRelative`, for texts around a time: they are rendered again each minute, as the time moves on while nothing else changes. */
export function useFormatRelative(): typeof formatRelative {
  useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / 60_000))
  return formatRelative
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Uses one timer for all times on the page. */
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
