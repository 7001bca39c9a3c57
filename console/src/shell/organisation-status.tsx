import type { Profile } from '../api/profile.ts'
import { organisationTexts } from '../texts/organisation.ts'
import { Badge } from '../ui/badge.tsx'

/** The state of an organisation that is not simply active, beside its name. */
export function OrganisationStatus({ status }: Pick<Profile['organisation'], 'status'>) {
  return <Badge tone={status === 'trial' ? 'accent' : 'warning'}>{organisationTexts.statuses[status]}</Badge>
}
