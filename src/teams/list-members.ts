import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Tenant } from '../platform/database/database.ts'
import { countOf, pageOf, wherePrefix } from '../platform/database/keyset.ts'
import { text } from '../platform/http/fields.ts'
import { ListQuery, listOf, sendList } from '../platform/http/lists.ts'
import { sourcesOf } from '../roles/sources.ts'
import { getMemberCount, membersOf } from './queries.ts'
import { TeamMember } from './schemas.ts'

export const MemberQuery = ListQuery.extend({
  q: text().optional().meta({
    description: 'Only members whose name, last name or e-mail address begins with this, in any letter case',
    example: 'carol',
  }),
  sources: z.enum(['true', 'false']).default('false').meta({
    description: '`true` says of each member what puts them into the team',
    example: 'true',
  }),
})
export const MemberList = listOf(TeamMember)

const order = { column: 'users.id', idColumn: 'users.id', descending: false }

/**
 * Sends the members of a team in the order in which the users were created.
 *
 * @throws Problem `not-found`
 */
export async function sendMembers(
  reply: FastifyReply,
  tenant: Tenant,
  teamId: string,
  query: z.infer<typeof MemberQuery>,
): Promise<FastifyReply> {
  const memberCount = await getMemberCount(tenant, teamId)
  const members = membersOf(tenant, teamId)
  const matching = query.q ? wherePrefix(members, ['users.nameKey', 'users.lastNameKey', 'users.email'], query.q) : members
  const shown = query.sources === 'true' ? matching.select(sourcesOf('team_members', 'team_members').as('sources')) : matching
  const source = {
    page: (limit: number, after: string | undefined) =>
      pageOf(shown, order, limit, after === undefined ? undefined : { key: after, id: after }).execute(),
    count: async () => (query.q ? (await countOf(matching).executeTakeFirstOrThrow()).count : memberCount),
    key: ({ id }: TeamMember) => id,
  }
  return sendList(reply, query, TeamMember, source, ({ id, email, name, sources }: TeamMember) => ({ id, email, name, sources }))
}
