import { Check, Link2 } from 'lucide-react'
import { useProfile } from '../api/profile.ts'
import { summaryOfView } from '../parts/present-view.ts'
import { useCopy } from '../parts/use-copy.ts'
import { shellTexts as t } from '../texts/shell.ts'
import { IconButton } from '../ui/button.tsx'

/** Copies the current view for another person: a line that describes it, and a link to it. */
export function CopyLink() {
  const { organisation } = useProfile()
  const { copied, copy } = useCopy()
  const copyView = () => copy(`${summaryOfView()} – ${t.product}, ${organisation.name}\n${location.href}`)
  return <IconButton label={copied ? t.copied : t.copyLink} icon={copied ? Check : Link2} onClick={() => void copyView()} />
}
