import { storedCountOfOrganisations } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { presentOrganisation } from './present-organisation.ts'
import { allOrganisations } from './queries.ts'
import { OrganisationRecord } from './schemas.ts'

export const organisationList = defineList({
  record: OrganisationRecord,
  present: presentOrganisation,
  rows: allOrganisations,
  storedCount: storedCountOfOrganisations,
  idColumn: 'organisations.id',
  sorts: { createdAt: 'organisations.id', name: 'organisations.nameKey', slug: 'organisations.slug' },
  defaultSort: 'createdAt',
  search: ['organisations.nameKey', 'organisations.slug', 'organisations.email'],
  searched: 'name, slug or e-mail address',
})
