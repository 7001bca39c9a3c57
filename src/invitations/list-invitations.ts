import { storedCount } from '../platform/database/stored-counts.ts'
import { defineList } from '../platform/http/record-list.ts'
import { invitationsWithReferences, presentInvitationDetails } from './queries.ts'
import { InvitationDetails } from './schemas.ts'

export const invitationList = defineList({
  record: InvitationDetails,
  present: presentInvitationDetails,
  rows: invitationsWithReferences,
  storedCount: (tenant) => storedCount(tenant, 'invitations'),
  idColumn: 'invitations.id',
  sorts: { createdAt: 'invitations.id', email: 'invitations.email', expiresAt: { time: 'invitations.expiresAt' } },
  defaultSort: 'createdAt',
  search: ['invitations.email'],
  searched: 'e-mail address',
})
