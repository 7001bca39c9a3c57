import { useEffect, useRef, useState } from 'react'
import { useStay } from './use-stay.ts'
import { type Worked, workThrough } from './work-through.ts'

interface Progress {
  done: number
  of: number
}

/**
 * Runs an action on many items, which tells its progress and can be stopped: the items that have begun are finished, the others are left.
 * Back does not leave it meanwhile, and it stops when what shows it is gone.
 *
 * @param options.onPage whether it is shown on the page itself, whose links do not leave it either
 */
export function useWorkThrough(options: { onPage?: boolean } = {}) {
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  const isShown = useRef(false)
  useStay(() => progress !== undefined, options)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return {
    /** Undefined while nothing runs. */
    progress,
    stop: () => {
      isStopped.current = true
    },
    run: async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<Worked<Item>> => {
      isStopped.current = false
      setProgress({ done: 0, of: items.length })
      try {
        return await workThrough(items, work, {
          onProgress: (done) => setProgress({ done, of: items.length }),
          // What shows it may be gone even before it begins.
          isCancelled: () => isStopped.current || !isShown.current,
        })
      } finally {
        setProgress(undefined)
      }
    },
  }
}
