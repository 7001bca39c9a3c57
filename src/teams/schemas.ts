import { z } from 'zod'
import { id, lines, name, recordId, slug, timestamp } from '../platform/http/fields.ts'
import { sources } from '../roles/schemas.ts'

export const NewTeam = z
  .object({
    name: name().meta({ description: 'Name of the team', example: 'Europe' }),
    slug: slug().meta({ description: 'Unique in the organisation; cannot be changed', example: 'europe' }),
    description: lines().default('').meta({ description: 'Who is in the team', example: 'Who works in Europe' }),
  })
  .meta({ component: 'NewTeam' })
export type NewTeam = z.infer<typeof NewTeam>

export const TeamChanges = z
  .object({
    name: name().optional().meta({ description: 'Name of the team', example: 'Europe' }),
    description: lines().optional().meta({ description: 'Who is in the team', example: 'Who works in Europe' }),
  })
  .meta({ component: 'TeamChanges' })
export type TeamChanges = z.infer<typeof TeamChanges>

export const MemberReference = z.object({
  userId: id().meta({ description: 'A user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const TeamMember = z
  .object({
    id: recordId('usr'),
    email: z.string().meta({ description: 'E-mail address of the member', example: 'carol@acme.test' }),
    name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    sources: sources.optional().meta({ description: 'What puts the user into the team; only in the list of members, with `sources=true`' }),
  })
  .meta({ component: 'TeamMember' })
export type TeamMember = z.infer<typeof TeamMember>

export const TeamRecord = z
  .object({
    id: recordId('tem'),
    name: z.string().meta({ description: 'Name of the team', example: 'Europe' }),
    slug: z.string().meta({ description: 'Short name of the team for programs', example: 'europe' }),
    description: z.string().meta({ description: 'Who is in the team', example: 'Who works in Europe' }),
    memberCount: z.number().int().meta({ description: 'Number of members, without deleted users', example: 12 }),
    members: z.array(TeamMember).meta({ description: 'Without deleted users; empty in responses to changes' }),
    createdAt: timestamp('When the team was created'),
    updatedAt: timestamp('When the team was last changed'),
  })
  .meta({ component: 'Team' })
export type TeamRecord = z.infer<typeof TeamRecord>

/** A team in a response, with or without its members. */
export const ListedTeam = TeamRecord.extend({
  members: TeamRecord.shape.members.optional().meta({ description: 'Without deleted users; absent with `members=false`' }),
}).meta({ component: 'ListedTeam' })
export type ListedTeam = z.infer<typeof ListedTeam>
