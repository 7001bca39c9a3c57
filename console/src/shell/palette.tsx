import { Search } from 'lucide-react'
import { lazy, useEffect, useState } from 'react'
import { OnDemand } from '../parts/on-demand.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { Key } from '../ui/key.tsx'
import { isApple } from './is-apple.ts'
import styles from './palette.module.css'

const OpenPalette = lazy(async () => ({ default: (await import('./open-palette.tsx')).OpenPalette }))

/** The field in the top bar and what it opens: pages, actions, records, and whatever a pasted text leads to. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" className={styles.field} onClick={() => setOpen(true)} aria-haspopup="dialog">
        <Search size={16} aria-hidden />
        <span className={styles.words}>{t.palette}</span>
        <span className={styles.shortWords}>{t.paletteShort}</span>
        <span className={styles.key} aria-hidden>
          <Key>{isApple ? '⌘K' : 'Ctrl K'}</Key>
        </span>
      </button>
      <OnDemand open={isOpen}>
        <OpenPalette open={isOpen} onOpenChange={setOpen} />
      </OnDemand>
    </>
  )
}
