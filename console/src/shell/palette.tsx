import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { lazyNamed } from '../base/lazy-named.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { openDialog } from '../parts/shortcuts.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { Key } from '../ui/key.tsx'
import { isApple } from './is-apple.ts'
import { newVersion } from './new-version.ts'
import styles from './palette.module.css'

const OpenPalette = lazyNamed(() => import('./open-palette.tsx'), 'OpenPalette')

/** The field in the top bar and its popup: pages, actions, records, and the targets of a pasted text. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const change = (open: boolean) => {
    setOpen(open)
    setText('')
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      // What is open over the page may hold what cannot be had again.
      setOpen((open) => !open && !document.querySelector(openDialog))
      setText('')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  // Until its field has the focus, typed text would go to the page below.
  useEffect(() => {
    if (!isOpen) return undefined
    const onKey = (event: KeyboardEvent) => {
      const isInside = event.target instanceof Element && event.target.closest(openDialog) !== null
      if (isInside || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') {
        setOpen(false)
        setText('')
      } else if (event.key === 'Backspace') setText((former) => former.slice(0, -1))
      else if (event.key.length === 1) setText((former) => former + event.key)
    }
    document.addEventListener('keydown', onKey, { capture: true })
    // Its code may be gone: then it does not open, and keys are the page's again at once.
    const unsubscribe = newVersion.subscribe(() => setOpen(false))
    return () => {
      document.removeEventListener('keydown', onKey, { capture: true })
      unsubscribe()
    }
  }, [isOpen])
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
        <OpenPalette open={isOpen} onOpenChange={change} text={text} onTextChange={setText} />
      </OnDemand>
    </>
  )
}
