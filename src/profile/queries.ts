import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { compiledOnce } from '../platform/database/compiled.ts'

/** The user's own profile without the permissions, which every request has already loaded. */
export const findProfile = compiledOnce((reads, userId: string) =>
  reads
    .selectFrom('users')
    .select(['id', 'email', 'name', 'firstName', 'lastName', 'phone', 'passwordChangedAt', 'mfaEnabled'])
    .select(sql<boolean>`email_verified_at is not null`.as('emailVerified'))
    .select((user) => [
      jsonObjectFrom(
        user
          .selectFrom('organisations')
          .select(['organisations.id', 'organisations.slug', 'organisations.name', 'organisations.status'])
          .whereRef('organisations.id', '=', 'users.organisationId'),
      )
        .$notNull()
        .as('organisation'),
      jsonArrayFrom(
        user
          .selectFrom('userRoles')
          .innerJoin('roles', (join) =>
            join.onRef('roles.organisationId', '=', 'userRoles.organisationId').onRef('roles.id', '=', 'userRoles.roleId'),
          )
          .select(['roles.id', 'roles.name', 'roles.slug'])
          .whereRef('userRoles.userId', '=', 'users.id')
          .orderBy('roles.id'),
      ).as('roles'),
    ])
    .where('id', '=', userId)
    .where('deletedAt', 'is', null),
)
