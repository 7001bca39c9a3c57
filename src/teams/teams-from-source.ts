import type { RawBuilder } from 'kysely'
import { lockUser } from '../accounts/queries.ts'
import type { Actor } from '../activity/actor.ts'
import { recordEach } from '../activity/record.ts'
import { isOwner } from '../organisations/queries.ts'
import type { Tenant } from '../platform/database/database.ts'
import { type ChangeOfSource, type ChangesOfUser, effectiveOf, isSettled, type UpstreamSource, unchanged } from '../roles/sources.ts'
import { presentTeamFields } from './present-team.ts'
import { findMembers, findTeams, memberships, type TeamFields } from './queries.ts'

/**
 * Sets the teams that a source puts a user into, and records the changes: in a team that another source puts the user into, too, they were
 * a member before and remain one. The owner is not affected, nor are deleted users; unknown teams are left out. When nothing has to
 * change, it costs one statement and locks nothing.
 *
 * @param options.addsOnly whether the user remains in teams that the source no longer puts them into
 */
export async function replaceTeamsFromSource(
  tenant: Tenant,
  actor: Actor,
  userId: string,
  source: UpstreamSource,
  teamIds: readonly string[],
  { addsOnly = false }: { addsOnly?: boolean } = {},
): Promise<ChangesOfUser> {
  if (isSettled(await memberships.givenBy(tenant, userId, source), teamIds, addsOnly)) return unchanged
  const user = await lockUser(tenant, userId)
  if (!user || (await isOwner(tenant, userId))) return unchanged
  const before = await memberships.givenBy(tenant, userId, source)
  const teams = await findTeams(tenant, [...teamIds, ...before])
  const asked = teams.filter(({ id }) => teamIds.includes(id)).map(({ id }) => id)
  const changes = await memberships.replace(tenant, userId, source, { before, asked, addsOnly })
  const changeOf = new Map(changes.map((change) => [change.id, change]))
  const occurrences = teams.flatMap((team) => {
    const change = changeOf.get(team.id)
    return change ? [{ action: actionOf(change), ...concerned(team, user), metadata: { userId, source } }] : []
  })
  await recordEach(tenant, actor, occurrences)
  return effectiveOf(changes)
}

const usersAtATime = 1_000

/**
 * Sets the teams that a source puts any number of users into, and records the changes as {@link replaceTeamsFromSource} does. The caller has
 * locked the users, and leaves the owner out.
 */
export async function setTeamsFromSource(
  tenant: Tenant,
  actor: Actor,
  source: UpstreamSource,
  given: { users: RawBuilder<string>; wanted: RawBuilder<unknown> },
): Promise<void> {
  const changes = await memberships.set(tenant, source, given)
  if (changes.length === 0) return
  const teams = new Map((await findTeams(tenant, [...new Set(changes.map(({ id }) => id))])).map((team) => [team.id, team]))
  const ofUsers = Map.groupBy(changes, ({ userId }) => userId)
  const userIds = [...ofUsers.keys()]
  for (let start = 0; start < userIds.length; start += usersAtATime) {
    const users = await findMembers(tenant, userIds.slice(start, start + usersAtATime))
    const occurrences = users.flatMap((user) =>
      (ofUsers.get(user.id) ?? []).flatMap((change) => {
        const team = teams.get(change.id)
        return team ? [{ action: actionOf(change), ...concerned(team, user), metadata: { userId: user.id, source } }] : []
      }),
    )
    await recordEach(tenant, actor, occurrences)
  }
}

function actionOf({ gives, isEffective }: ChangeOfSource) {
  if (gives) return isEffective ? ('team.member_added' as const) : ('team.member_source_added' as const)
  return isEffective ? ('team.member_removed' as const) : ('team.member_source_removed' as const)
}

/**
 * Removes the memberships of a source that is about to be deleted, each with an entry where no other source gives it. The caller has
 * locked the source, so that no concurrent sign-in uses it.
 */
export async function removeTeamsOfSource(tenant: Tenant, actor: Actor, source: UpstreamSource): Promise<void> {
  // These are the few teams that its mappings name, with any number of users.
  for (const team of await findTeams(tenant, await memberships.lockGivenTo(tenant, source))) {
    const { rows } = await memberships.removeFromAll(source, team.id).execute(tenant)
    const userIds = rows.map(({ userId }) => userId)
    for (let start = 0; start < userIds.length; start += usersAtATime) {
      const users = await findMembers(tenant, userIds.slice(start, start + usersAtATime))
      await recordEach(
        tenant,
        actor,
        users.map((user) => ({ action: 'team.member_removed', ...concerned(team, user), metadata: { userId: user.id, source } })),
      )
    }
  }
  await memberships.forget(tenant, source)
}

/** The team and the user as events show them. */
const concerned = (team: TeamFields, { id, email, name }: { id: string; email: string; name: string }) => ({
  team: presentTeamFields(team),
  user: { id, email, name },
})
