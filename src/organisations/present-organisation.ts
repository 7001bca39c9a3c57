import type { Selectable } from 'kysely'
import type { OrganisationsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import type { OrganisationRecord } from './schemas.ts'

export type Organisation = Selectable<OrganisationsTable>

/** An organisation as the API shows it. */
export function presentOrganisation(organisation: Organisation): OrganisationRecord {
  const { suspendedReason, nameKey, distinctName, looksLikeAnother, ...shown } = organisation
  return {
    ...shown,
    createdAt: presentTime(shown.createdAt),
    updatedAt: presentTime(shown.updatedAt),
    deletedAt: presentTime(shown.deletedAt),
  }
}
