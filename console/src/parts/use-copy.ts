import { useEffect, useState } from 'react'

const shownMilliseconds = 2_000

/** Copies texts, and says so for a moment. The text may be a secret: nothing holds it once what shows it is gone. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<void> } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return { copied, copy }
}
