import { useEffect, useState } from 'react'
import { createStore } from '../base/store.ts'

const shownMilliseconds = 2_000

const waiting = createStore<string | undefined>(undefined)

/** A text that the browser did not let the page copy: it is shown, so that the user copies it. */
export const byHand = {
  text: waiting.get,
  subscribe: waiting.subscribe,
  show: waiting.set,
}

/** Copies texts, and confirms it for a moment. The text may be a secret: no state retains it after the component is unmounted. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      // The cause is a policy, a page without focus, or one without https, where there is no clipboard at all.
      byHand.show(text)
      return false
    }
    setCopied(true)
    return true
  }
  return { copied, copy }
}
