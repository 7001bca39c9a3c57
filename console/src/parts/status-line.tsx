import { Check } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { changes } from '../api/changes.ts'
import { createStore } from '../base/store.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { toastsShown } from '../ui/toast.tsx'
import { formatClock } from './format.ts'
import styles from './status-line.module.css'

const shownMilliseconds = 8_000

const text = createStore('')

/** Describes a finished action by the label of the pressed control: "Done: Block Anna Shaw". */
export function doneBy(pressed: Element | null): () => string {
  const label = (pressed?.getAttribute('aria-label') ?? pressed?.textContent ?? '').trim()
  return () => (label ? t.doneWhat(label) : t.doneAlone)
}

/** Begins an action. Its end is announced if it has changed something, unless it has announced that itself. */
export function beginTelling(what: () => string): { end(): void } {
  const before = { made: changes.made(), toasts: toastsShown() }
  const words = what()
  return {
    end() {
      if (changes.made() > before.made && toastsShown() === before.toasts) text.set(`${words} · ${formatClock(new Date())}`)
    },
  }
}

/** Shows and announces on every page what was saved last. */
export function StatusLine() {
  const shown = useSyncExternalStore(text.subscribe, text.get)
  useEffect(() => {
    if (shown === '') return undefined
    const timer = setTimeout(() => text.set(''), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div role="status" className={styles.line}>
      {shown && (
        <p className={styles.text}>
          <Check size={16} aria-hidden />
          <span>{shown}</span>
        </p>
      )}
    </div>
  )
}
