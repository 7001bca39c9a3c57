import type { Actor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import type { Tenant } from '../platform/database/database.ts'
import { presentTeamFields, teamChange } from '../teams/present-team.ts'
import { deleteTeam, insertTeam, lockTeam, updateTeam } from '../teams/queries.ts'
import type { GivingDirectory } from './apply-mappings.ts'
import { type GroupWithTeam, isEmptyTeam, setTeam, similarSlugs } from './team-queries.ts'

interface TeamContext {
  tenant: Tenant
  /** Who changes the group, or what its directory gives. */
  actor: Actor
  directory: GivingDirectory
}

/**
 * Creates the team of a group, unless a mapping says which teams its members join. A team that exists already is never joined by its name:
 * the person who names groups elsewhere would choose who is in it.
 */
export async function requireTeam(
  context: TeamContext,
  group: Pick<GroupWithTeam, 'id' | 'displayName' | 'externalId' | 'teamId'>,
): Promise<void> {
  const { tenant, actor, directory } = context
  if (directory.groups !== 'teams' || group.teamId !== null || isMappedToTeams(context, group)) return
  const slug = await freeSlug(context, group.displayName)
  const team = await insertTeam(tenant, { name: group.displayName, slug, description: '' })
  await record(tenant, actor, { action: 'team.created', team: presentTeamFields(team) })
  await setTeam(tenant, group.id, team.id)
}

function isMappedToTeams(
  { directory }: TeamContext,
  { displayName, externalId }: Pick<GroupWithTeam, 'displayName' | 'externalId'>,
): boolean {
  return directory.groupMappings.some(({ group, teamIds }) => {
    const isMeant = 'displayName' in group ? group.displayName.toLowerCase() === displayName.toLowerCase() : group.externalId === externalId
    return isMeant && teamIds.length > 0
  })
}

const slugMax = 240

async function freeSlug({ tenant }: TeamContext, displayName: string): Promise<string> {
  const plain = displayName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, slugMax)
    .replace(/^-+|-+$/g, '')
  const slug = plain === '' ? 'group' : plain
  const taken = await similarSlugs(tenant, slug)
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

/** Deletes the team that was created for a deleted group, unless other users are in it. */
export async function deleteTeamOf({ tenant, actor }: TeamContext, { teamId, createdTeam }: GroupWithTeam): Promise<void> {
  if (teamId === null || !createdTeam) return
  // Locked first: a member who is being added at this moment is seen.
  if (!(await lockTeam(tenant, teamId)) || !(await isEmptyTeam(tenant, teamId))) return
  const team = await deleteTeam(tenant, teamId)
  if (team) await teamChange.recordDeletion(tenant, actor, team, undefined)
}
