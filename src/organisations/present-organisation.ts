import type { Selectable } from 'kysely'
import type { OrganisationsTable } from '../platform/database/tables.ts'
import { presentTime } from '../platform/http/fields.ts'
import { defineVersion } from '../platform/http/versions.ts'
import { documentPolicyOf, signInPolicyOf } from './rules.ts'
import { OrganisationChanges, type OrganisationRecord } from './schemas.ts'

export const organisationVersion = defineVersion<OrganisationRecord>([...Object.keys(OrganisationChanges.shape), 'ownerId', 'status'])

export type Organisation = Selectable<OrganisationsTable>

/** An organisation as the API shows it. */
export function presentOrganisation(organisation: Organisation): OrganisationRecord {
  const { suspendedReason, nameKey, distinctName, looksLikeAnother, ...shown } = organisation
  return {
    ...shown,
    signInPolicy: signInPolicyOf(shown.signInPolicy),
    clientDocumentPolicy: documentPolicyOf(shown.clientDocumentPolicy),
    createdAt: presentTime(shown.createdAt),
    updatedAt: presentTime(shown.updatedAt),
    deletedAt: presentTime(shown.deletedAt),
  }
}
