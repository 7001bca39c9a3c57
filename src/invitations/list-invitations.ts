import { sql } from 'kysely'
import type { Tenant } from '../platform/database/database.ts'
import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { invitationsWithReferences, presentInvitationDetails } from './queries.ts'
import { InvitationDetails, InvitationFilters } from './schemas.ts'

export const invitationList = defineList({
  record: InvitationDetails,
  present: presentInvitationDetails,
  rows: invitationsWithReferences,
  storedCount: (tenant: Tenant) => storedCount(tenant, 'invitations'),
  idColumn: 'invitations.id',
  sorts: { createdAt: 'invitations.id', email: 'invitations.email', expiresAt: { time: 'invitations.expiresAt' } },
  defaultSort: 'createdAt',
  search: ['invitations.email'],
  searched: 'e-mail address',
  filters: { fields: InvitationFilters.shape, conditions: conditionsOf },
})

function conditionsOf({ status }: InvitationFilters, { now }: Tenant) {
  const [stored, expiresAt] = [sql.ref('invitations.status'), sql.ref('invitations.expiresAt')]
  // Compare with the clock, like the status that is shown: a task marks an invitation as expired some time later.
  const conditions = {
    pending: [sql<boolean>`${stored} = 'pending'`, sql<boolean>`${expiresAt} > ${now}`],
    accepted: [sql<boolean>`${stored} = 'accepted'`],
    expired: [sql<boolean>`${stored} in ('pending', 'expired')`, sql<boolean>`(${stored} = 'expired' or ${expiresAt} <= ${now})`],
  }
  return status ? conditions[status] : []
}
