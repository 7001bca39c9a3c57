/**
 * SQL for the slugs of the permissions that a user's roles grant, with a duplicate for each role that grants the same one.
 * The caller checks whether the user is blocked or deleted. A condition on the permission `p` or on the
 * assignment `ur` may follow.
 *
 * @param organisationId SQL: a column or a parameter
 * @param userId SQL
 */
export const effectivePermissions = (organisationId: string, userId: string) => `
  select p.slug ${effectiveGrants(organisationId, userId)}`

/** The rows behind these slugs: the permission `p` through the `role` of the assignment `ur`. */
export const effectiveGrants = (organisationId: string, userId: string) => `
  from user_roles ur
  join roles role on role.organisation_id = ur.organisation_id and role.id = ur.role_id
  cross join unnest(role.permission_slugs) as p (slug)
  where ur.organisation_id = ${organisationId} and ur.user_id = ${userId}`
