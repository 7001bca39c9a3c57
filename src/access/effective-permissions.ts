/**
 * The slugs of what a user may do by their roles, a row each; several roles may give the same one. Whether the user may do
 * anything at all (blocked, deleted) is the caller's question. A condition on the permission `p` may follow.
 *
 * @param organisationId SQL: a column or a parameter
 * @param userId SQL
 */
export const effectivePermissions = (organisationId: string, userId: string) => `
  select p.slug
  from user_roles ur
  join roles role on role.organisation_id = ur.organisation_id and role.id = ur.role_id
  cross join unnest(role.permission_slugs) as p (slug)
  where ur.organisation_id = ${organisationId} and ur.user_id = ${userId}`
