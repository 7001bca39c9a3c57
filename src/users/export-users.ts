import type { z } from 'zod'
import { presentUser } from '../accounts/present-user.ts'
import { UserRecord } from '../accounts/schemas.ts'
import { defineExport, ExportQuery } from '../platform/http/record-export.ts'
import { userList } from './list-users.ts'

/** The filters and the order of the list of users, without its pages. */
export const UserExportQuery = userList.schema.querystring.omit({ limit: true, cursor: true }).extend(ExportQuery.shape)

export const userExport = defineExport({
  name: 'users',
  record: UserRecord,
  present: presentUser,
  columns: [
    'id',
    'email',
    'firstName',
    'lastName',
    'name',
    'phone',
    'emailVerifiedAt',
    'mfaEnabled',
    'blockedAt',
    'blockedReason',
    'lastLoginAt',
    'lockedUntil',
    'createdAt',
    'updatedAt',
    'deletedAt',
    'roles',
    'teams',
    // Last: programs read the others by their place.
    'metadata',
  ],
  csvFields: (user: z.infer<typeof UserRecord>) => ({
    ...user,
    mfaEnabled: String(user.mfaEnabled),
    metadata: JSON.stringify(user.metadata),
    roles: slugsOf(user.roles),
    teams: slugsOf(user.teams),
  }),
  columnsNote: 'roles and teams are slugs separated by blanks, metadata is JSON',
})

const slugsOf = (records: readonly { slug: string }[]) => records.map(({ slug }) => slug).join(' ')
