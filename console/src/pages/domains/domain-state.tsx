import type { Domain } from '../../api/domains.ts'
import { domainsTexts as t } from '../../texts/domains.ts'
import { Badge } from '../../ui/badge.tsx'

const tones = { pending: 'warning', verified: 'success', lapsed: 'danger' } as const

export function DomainState({ domain: { status, failingSince } }: { domain: Domain }) {
  if (status === 'verified' && failingSince) return <Badge tone="warning">{t.missing}</Badge>
  return <Badge tone={tones[status]}>{t.states[status]}</Badge>
}
