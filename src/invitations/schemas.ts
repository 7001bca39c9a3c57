import { z } from 'zod'
import { email, id, ids, name, newPassword, timestamp, token } from '../platform/http/fields.ts'

export const NewInvitation = z.object({
  email: email().meta({ example: 'carol@acme.test', description: 'Gets the mail; nobody in the system may have this address yet' }),
  roleId: id().meta({
    example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x',
    description: 'Id or slug of the role that is given on acceptance; only one within your own permissions',
  }),
  teamIds: ids().default([]).meta({ description: 'Ids or slugs of the teams that are joined on acceptance' }),
  clientId: id().nullable().default(null).meta({
    example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    description: 'The application that the user continues to after accepting, at its `initiateLoginUri`',
  }),
  expiresInDays: z.number().int().min(1).max(30).default(7).meta({ description: 'Whole days until the link stops working', example: 7 }),
})
export type NewInvitation = z.infer<typeof NewInvitation>

const status = () =>
  z
    .enum(['pending', 'accepted', 'expired'])
    .meta({ description: 'A pending one is `expired` from the moment of `expiresAt` on', example: 'pending' })

export const InvitationRecord = z.object({
  id: z.string().meta({ example: 'inv_01kahm3z9n4v7f2t8q6w5r1y13' }),
  email: z.string().meta({ example: 'carol@acme.test' }),
  roleId: z.string().nullable().meta({
    example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x',
    description: 'Null once the role has been deleted: acceptance then gives the default role of the organisation',
  }),
  teamIds: z.array(z.string()).meta({ description: 'Without teams that have been deleted' }),
  clientId: z.string().nullable().meta({ description: 'The application that the user continues to', example: null }),
  status: status(),
  invitedById: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  expiresAt: timestamp(),
  acceptedAt: timestamp().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})
export type InvitationRecord = z.infer<typeof InvitationRecord>

/** An invitation in a list and when it is shown alone. */
export const InvitationDetails = InvitationRecord.extend({
  invitedBy: z.object({
    id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    email: z.string().meta({ example: 'owner@acme.test' }),
    name: z.string().meta({ example: 'Olive Owner' }),
  }),
})
export type InvitationDetails = z.infer<typeof InvitationDetails>

export const ResentInvitation = z.object({
  message: z.string().meta({ example: 'Invitation resent' }),
  invitation: InvitationRecord.pick({ id: true, email: true, status: true, expiresAt: true }),
})

export const Acceptance = z.object({
  token: token().meta({ description: 'From the link in the mail', example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw' }),
  firstName: name().meta({ example: 'Carol' }),
  lastName: name().meta({ example: 'Shaw' }),
  password: newPassword().meta({ description: 'Within the password policy of the organisation' }),
})
export type Acceptance = z.infer<typeof Acceptance>

export const Accepted = z.object({
  message: z.string().meta({ example: 'Invitation accepted' }),
  user: z.object({
    id: z.string().meta({ example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    email: z.string().meta({ example: 'carol@acme.test' }),
    name: z.string().meta({ example: 'Carol Shaw' }),
  }),
  continueTo: z.string().nullable().optional().meta({
    description:
      'Where the browser continues: the `initiateLoginUri` of the application that the invitation names, with `iss` and `login_hint` (OpenID Connect Core §4); null when that has none. Absent when the invitation names no application',
    example: 'https://portal.acme.test/login?iss=https%3A%2F%2Fid.example.com&login_hint=carol%40acme.test',
  }),
})
