import { organisationList } from '../../organisations/list-organisations.ts'
import { presentOrganisation } from '../../organisations/present-organisation.ts'
import type { CommonOptions } from '../add-command.ts'
import { allOf, showList } from '../output.ts'
import { withServices } from '../with-services.ts'

export const listOrganisations = (options: CommonOptions & { search?: string }) =>
  withServices(options, async ({ services: { database } }) => {
    const organisations = await allOf(organisationList.source(database.systemListReads(), { q: options.search, sort: 'slug' }))
    showList(
      options,
      organisations.map(({ sortKey: _, ...organisation }) => presentOrganisation(organisation)),
      ['slug', 'name', 'status', 'email', 'createdAt', 'id'],
      'organisations',
    )
  })
