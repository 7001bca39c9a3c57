import { defineList } from '../platform/http/record-list.ts'
import { presentUser } from './present-user.ts'
import { usersWithReferences } from './queries.ts'
import { UserRecord } from './schemas.ts'

export const userList = defineList({
  record: UserRecord,
  present: presentUser,
  rows: usersWithReferences,
  idColumn: 'users.id',
  sorts: {
    createdAt: 'users.id',
    name: 'users.nameKey',
    email: 'users.email',
    lastLoginAt: { time: 'users.lastLoginKey' },
  },
  defaultSort: 'createdAt',
  search: ['users.nameKey', 'users.lastNameKey', 'users.email'],
  searched: 'name, last name or e-mail address',
})
