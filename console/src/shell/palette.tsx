import { useNavigate, useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { shellTexts as t } from '../texts/shell.ts'
import { type Command, type CommandGroup, CommandPalette } from '../ui/command-palette.tsx'
import { Key } from '../ui/key.tsx'
import { useNavigation } from './navigation.tsx'
import styles from './palette.module.css'
import { placesIn } from './pasted-places.ts'
import { isApple } from './shortcuts-dialog.tsx'
import { useActions } from './use-actions.ts'

/** The field in the top bar and what it opens: pages, actions, records, and whatever a pasted text leads to. */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const open = (next: boolean) => {
    setOpen(next)
    if (next) setText('')
  }
  return (
    <>
      <button type="button" className={styles.field} onClick={() => open(true)} aria-haspopup="dialog">
        <Search size={16} aria-hidden />
        <span className={styles.words}>{t.palette}</span>
        <span className={styles.key} aria-hidden>
          <Key>{isApple ? '⌘K' : 'Ctrl K'}</Key>
        </span>
      </button>
      {isOpen && <OpenPalette text={text} onTextChange={setText} onOpenChange={open} />}
    </>
  )
}

interface OpenPaletteProps {
  text: string
  onTextChange: (text: string) => void
  onOpenChange: (open: boolean) => void
}

function OpenPalette({ text, onTextChange, onOpenChange }: OpenPaletteProps) {
  const navigate = useNavigate()
  const { history } = useRouter()
  const entries = useNavigation().flatMap(({ entries }) => entries)
  const actions = useActions()
  const pasted = placesIn(text).map((place) => ({ ...place, onSelect: () => history.push(`/console${place.path}`) }))
  const pages = entries.map(({ to, params, label, icon, shortcut }) => ({
    id: to,
    label,
    icon,
    hint: `g ${shortcut}`,
    onSelect: () => void navigate({ to, params } as { to: string }),
  }))
  const groups: CommandGroup[] = [
    { label: t.pasted, items: pasted },
    { label: t.pages, items: matching(pages, text) },
    { label: t.actions, items: matching(actions, text) },
  ]
  return (
    <CommandPalette
      open
      onOpenChange={onOpenChange}
      label={t.palette}
      groups={groups.filter(({ items }) => items.length > 0)}
      text={text}
      onTextChange={onTextChange}
      loading={false}
      emptyText={t.nothingMatches}
      closeLabel={t.close}
    />
  )
}

/** The commands with a word that begins with the text. */
function matching(commands: Command[], text: string): Command[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (!wanted) return commands
  return commands.filter(({ label }) => ` ${label.toLocaleLowerCase()}`.includes(` ${wanted}`))
}
