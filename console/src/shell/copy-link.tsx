import { Check, Link2 } from 'lucide-react'
import { useProfile } from '../api/profile.ts'
import { summaryOfView } from '../parts/present-view.ts'
import { useCopy } from '../parts/use-copy.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { IconButton } from '../ui/button.tsx'

/** Copies what is shown for somebody else: a line that says what it is, and the link to exactly this. */
export function CopyLink() {
  const { organisation } = useProfile()
  const { copied, copy } = useCopy()
  const copyView = () => copy(`${summaryOfView()} – ${t.product}, ${organisation.name}\n${location.href}`)
  return <IconButton label={copied ? t.copied : t.copyLink} icon={copied ? Check : Link2} onClick={() => void copyView()} />
}
