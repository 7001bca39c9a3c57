import { useNavigate, useRouter } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import type { ClipboardEvent } from 'react'
import { useMay } from '../api/profile.ts'
import { describeProblem } from '../parts/describe-problem.ts'
import { paletteTexts as t } from '../texts/palette.ts'
import { shellTexts } from '../texts/shell.ts'
import { type Command, type CommandGroup, CommandPalette } from '../ui/command-palette.tsx'
import { useNavigation } from './navigation.tsx'
import { type PastedId, placesIn } from './pasted-ids.ts'
import { useActions } from './use-actions.ts'
import { useRecords } from './use-records.ts'

interface OpenPaletteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  text: string
  onTextChange: (text: string) => void
}

/** Pages, actions, records, and the targets of a pasted text. */
export function OpenPalette({ open, onOpenChange, text, onTextChange }: OpenPaletteProps) {
  const navigate = useNavigate()
  const { history } = useRouter()
  const may = useMay()
  const entries = useNavigation().flatMap(({ entries }) => entries)
  const actions = useActions()
  const records = useRecords(text)
  const email = emailIn(text)
  const checks: Command[] =
    email !== undefined && may('POST /v1/admin/sign-in-checks')
      ? [
          {
            id: 'sign-in-check',
            label: t.whyNoSignIn(email),
            icon: LogIn,
            onSelect: () => void navigate({ to: '/sign-in-check', search: { email } }),
          },
        ]
      : []
  const go = ({ path }: PastedId) => history.push(`/console${path}`)
  const pasted = placesIn(text).map((place) => ({ ...place, onSelect: () => go(place) }))
  const pages = entries.map(({ to, params, label, icon, shortcut }) => ({
    id: to,
    label,
    icon,
    hint: `g ${shortcut}`,
    onSelect: () => void navigate({ to, params } as { to: string }),
  }))
  /** Opens the target of a pasted text at once if it is the only one. */
  const onPaste = (event: ClipboardEvent) => {
    const [place, ...others] = placesIn(event.clipboardData.getData('text'))
    if (place === undefined || others.length > 0) return
    event.preventDefault()
    onOpenChange(false)
    go(place)
  }
  const failure = records.error && describeProblem(records.error).text
  const groups: CommandGroup[] = [
    { label: t.pasted, items: pasted },
    { label: t.pages, items: matching(pages, text) },
    { label: shellTexts.actions, items: [...matching(actions, text), ...checks] },
    { label: t.records, items: records.items },
  ]
  return (
    <CommandPalette
      open={open}
      onOpenChange={onOpenChange}
      onPaste={onPaste}
      label={shellTexts.palette}
      groups={groups.filter(({ items }) => items.length > 0)}
      text={text}
      onTextChange={onTextChange}
      loading={records.isLoading}
      emptyText={failure ?? shellTexts.nothingMatches}
      hint={(groups.some(({ items }) => items.length > 0) && failure) || t.paletteHint}
      closeLabel={shellTexts.close}
    />
  )
}

/** An e-mail address that was typed without other text. */
const emailIn = (text: string): string | undefined => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.exec(text.trim().toLowerCase())?.[0]

/** The commands with a word that begins with the text. */
function matching(commands: Command[], text: string): Command[] {
  const wanted = text.trim().toLocaleLowerCase()
  if (!wanted) return commands
  return commands.filter(({ label }) => ` ${label.toLocaleLowerCase()}`.includes(` ${wanted}`))
}
