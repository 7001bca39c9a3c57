import { useEffect, useState } from 'react'

/** Counts down to a moment: the remaining whole seconds, 0 afterwards and without a moment. */
export function useSecondsUntil(moment: number | undefined): number {
  const secondsLeft = () => Math.max(0, Math.ceil(((moment ?? 0) - Date.now()) / 1000))
  const [, setTick] = useState(0)
  const left = secondsLeft()
  useEffect(() => {
    if (left <= 0) return undefined
    const timer = setTimeout(() => setTick((tick) => tick + 1), 250)
    return () => clearTimeout(timer)
  })
  return left
}
