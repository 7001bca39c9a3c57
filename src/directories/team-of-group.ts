import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentTeamFields, teamChange } from '../teams/present-team.ts'
import { deleteTeam, insertTeamUnlessTaken, lockTeam, type Team, updateTeam } from '../teams/queries.ts'
import { type GivingDirectory, listMappedToTeams } from './apply-mappings.ts'
import { type GroupWithTeam, isEmptyTeam, isNamedByMapping, setTeam, similarSlugs, unsetTeams } from './team-queries.ts'

interface TeamContext {
  tenant: Tenant
  /** Who changes the group, or what its directory gives. */
  actor: Actor
  directory: GivingDirectory
}

/**
 * Creates the teams of those of these groups that have none, unless a mapping says which teams their members join. A team that exists already is
 * never joined by its name: the person who names groups elsewhere would choose who is in it.
 */
export async function requireTeams(
  context: TeamContext,
  groups: readonly Pick<GroupWithTeam, 'id' | 'displayName' | 'teamId'>[],
): Promise<void> {
  const { tenant, actor, directory } = context
  if (directory.groups !== 'teams') return
  const without = groups.filter(({ teamId }) => teamId === null)
  const mapped = await listMappedToTeams(tenant, directory, idsOf(without))
  for (const group of without.filter(({ id }) => !mapped.has(id))) {
    const team = await insertTeamOf(tenant, group)
    await record(tenant, actor, { action: 'team.created', team: presentTeamFields(team) })
    await setTeam(tenant, group.id, team.id)
  }
}

/**
 * Takes the team of its own from each of these groups for which a mapping says which teams its members join, as if the mapping had come
 * first. Their members leave the team by the next {@link applyMappings}; then {@link deleteTeamOf} says whether it goes.
 *
 * @returns those groups, as they were
 */
export async function releaseTeams<Group extends GroupWithTeam>(
  { tenant, directory }: TeamContext,
  groups: readonly Group[],
): Promise<Group[]> {
  if (directory.groups !== 'teams') return []
  const mapped = await listMappedToTeams(tenant, directory, idsOf(groups))
  const released = groups.filter(({ id, teamId }) => teamId !== null && mapped.has(id))
  await unsetTeams(tenant, idsOf(released))
  return released
}

const idsOf = (groups: readonly { id: string }[]) => groups.map(({ id }) => id)

/**
 * A team with the first free slug that is like the name of the group. What another transaction has just taken is seen by the next attempt:
 * the insertion has waited for it.
 */
async function insertTeamOf(tenant: Tenant, { displayName }: Pick<GroupWithTeam, 'displayName'>): Promise<Team> {
  const plain = slugLike(displayName)
  for (;;) {
    const slug = firstFree(plain, await similarSlugs(tenant, plain))
    const team = await insertTeamUnlessTaken(tenant, { name: displayName, slug, description: '' })
    if (team) return team
  }
}

const slugMax = 240

function slugLike(displayName: string): string {
  const plain = displayName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugMax)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? 'group' : plain
}

function firstFree(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug
  let number = 2
  while (taken.has(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}

/** A team that was created for a group is called as the group is. */
export async function followName(
  { tenant, actor }: TeamContext,
  { teamId, createdTeam }: GroupWithTeam,
  { displayName }: GroupWithTeam,
): Promise<void> {
  if (teamId === null || !createdTeam) return
  const before = await lockTeam(tenant, teamId)
  if (!before || before.name === displayName) return
  const after = await updateTeam(tenant, teamId, { name: displayName })
  await teamChange.recordUpdate(tenant, actor, before, after)
}

/** Deletes the team that was created for a group which has it no longer, unless other users are in it or a mapping puts some there. */
export async function deleteTeamOf(
  { tenant, actor }: Pick<TeamContext, 'tenant' | 'actor'>,
  { teamId, createdTeam }: GroupWithTeam,
): Promise<void> {
  if (teamId === null || !createdTeam) return
  // Locked first: a member who is being added at this moment is seen, and so is a mapping, which holds the teams that it names.
  if (!(await lockTeam(tenant, teamId)) || !(await isEmptyTeam(tenant, teamId)) || (await isNamedByMapping(tenant, teamId))) return
  const team = await deleteTeam(tenant, teamId)
  if (team) await teamChange.recordDeletion(tenant, actor, team, undefined)
}
