import { z } from 'zod'
import { id, lines, name, slug, timestamp } from '../platform/http/fields.ts'

export const NewTeam = z.object({
  name: name().meta({ example: 'Europe' }),
  slug: slug().meta({ example: 'europe', description: 'Unique in the organisation; cannot be changed' }),
  description: lines().default('').meta({ example: 'Who works in Europe' }),
})
export type NewTeam = z.infer<typeof NewTeam>

export const TeamChanges = z.object({
  name: name().optional().meta({ example: 'Europe' }),
  description: lines().optional().meta({ example: 'Who works in Europe' }),
})
export type TeamChanges = z.infer<typeof TeamChanges>

export const MemberReference = z.object({
  userId: id().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', description: 'A user of the organisation' }),
})

const Member = z.object({
  id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  email: z.string().meta({ example: 'carol@acme.test' }),
  name: z.string().meta({ example: 'Carol Shaw' }),
})

export const TeamRecord = z.object({
  id: z.string().meta({ example: 'tem_01kahm3z9n4v7f2t8q6w5r1y11' }),
  name: z.string().meta({ example: 'Europe' }),
  slug: z.string().meta({ example: 'europe' }),
  description: z.string().meta({ example: 'Who works in Europe' }),
  members: z.array(Member).meta({ description: 'Without deleted users; empty in answers to changes' }),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type TeamRecord = z.infer<typeof TeamRecord>
