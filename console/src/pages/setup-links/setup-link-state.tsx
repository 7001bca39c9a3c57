import type { SetupLink } from '../../api/setup-links.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { Badge } from '../../ui/badge.tsx'

const tones = { open: 'neutral', in_use: 'neutral', finished: 'success', ended: 'neutral', expired: 'neutral' } as const

/** What an administrator should notice first is what waits for them. */
export function SetupLinkState({ link: { state, activatedAt } }: { link: SetupLink }) {
  if (state === 'finished') return activatedAt ? <Badge tone="success">{t.activated}</Badge> : <Badge tone="warning">{t.toActivate}</Badge>
  return <Badge tone={tones[state]}>{t.states[state]}</Badge>
}
