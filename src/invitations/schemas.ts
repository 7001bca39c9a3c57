import { z } from 'zod'
import { TeamSummary } from '../accounts/schemas.ts'
import { email, id, ids, isSecret, name, newPassword, recordId, timestamp, token } from '../platform/http/fields.ts'
import { RoleSummary } from '../roles/schemas.ts'

export const NewInvitation = z
  .object({
    email: email().meta({ description: 'Receives the mail; must not be registered in the system yet', example: 'carol@acme.test' }),
    roleId: id().meta({
      description: 'Id or slug of the role that is given on acceptance; only one within your own permissions',
      example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    teamIds: ids()
      .default([])
      .meta({ description: 'Ids or slugs of the teams that are joined on acceptance', example: ['tem_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
    clientId: id().nullable().default(null).meta({
      description: 'The application that the user continues to after accepting, at its `initiateLoginUri`',
      example: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    returnLink: z.boolean().default(false).meta({
      description:
        'Whether the response also has the link, to pass it on in another way than by mail. The address then does not count as verified on acceptance',
      example: false,
    }),
    expiresInDays: z.number().int().min(1).max(30).default(7).meta({ description: 'Whole days until the link stops working', example: 7 }),
  })
  .meta({ component: 'NewInvitation' })
export type NewInvitation = z.infer<typeof NewInvitation>

const statuses = z.enum(['pending', 'accepted', 'expired'])

const status = () => statuses.meta({ description: 'A pending one is `expired` from the moment of `expiresAt` on', example: 'pending' })

export const InvitationRecord = z
  .object({
    id: recordId('inv'),
    email: z.string().meta({ description: 'E-mail address of the person invited', example: 'carol@acme.test' }),
    roleId: z.string().nullable().meta({
      description: 'Null once the role has been deleted: acceptance then gives the default role of the organisation',
      example: 'rol_01kahm3z9n4v7f2t8q6w5r1y0x',
    }),
    teamIds: z.array(z.string()).meta({ description: 'Without teams that have been deleted', example: ['tem_01kahm3z9n4v7f2t8q6w5r1y0x'] }),
    clientId: z.string().nullable().meta({ description: 'The application that the user continues to', example: null }),
    status: status(),
    invitedById: recordId('usr', 'Id of the user who invited'),
    expiresAt: timestamp('When the link in the mail expires'),
    acceptedAt: timestamp().nullable().meta({ description: 'When it was accepted; null while it is pending' }),
    createdAt: timestamp('When the invitation was sent'),
    updatedAt: timestamp('When the invitation was last changed'),
  })
  .meta({ component: 'Invitation' })
export type InvitationRecord = z.infer<typeof InvitationRecord>

export const CreatedInvitation = InvitationRecord.extend({
  link: z
    .string()
    .optional()
    .meta({
      ...isSecret,
      description: 'Only with `returnLink`, and only here: it cannot be read again',
      example: 'https://id.acme.test/invitations/accept?token=inv_3q2x',
    }),
}).meta({ component: 'CreatedInvitation' })

/** An invitation in a list and when it is shown alone. */
export const InvitationDetails = InvitationRecord.extend({
  invitedBy: z
    .object({
      id: recordId('usr'),
      email: z.string().meta({ description: 'E-mail address', example: 'owner@acme.test' }),
      name: z.string().meta({ description: 'First and last name', example: 'Olive Owner' }),
    })
    .meta({ description: 'The user who invited' }),
  role: RoleSummary.nullable().meta({ description: 'The role of `roleId`; null once it has been deleted' }),
  teams: z.array(TeamSummary).meta({ description: 'The teams of `teamIds`, in their order' }),
}).meta({ component: 'InvitationDetails' })
export type InvitationDetails = z.infer<typeof InvitationDetails>

export const InvitationFilters = z.object({
  status: statuses.optional().meta({
    description: 'Only invitations that have this status now. Cancelled ones are removed',
  }),
})
export type InvitationFilters = z.infer<typeof InvitationFilters>

export const ResentInvitation = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Invitation resent' }),
  invitation: InvitationRecord.pick({ id: true, email: true, status: true, expiresAt: true }).meta({ description: 'The invitation' }),
})

export const Acceptance = z
  .object({
    token: token().meta({ description: 'From the link in the mail', example: 'pJ0fQx2m9zZQ4kq1Wn8bq5o2v3C7yD6eR1tL0aS9uXw' }),
    firstName: name().meta({ description: 'First name', example: 'Carol' }),
    lastName: name().meta({ description: 'Last name', example: 'Shaw' }),
    password: newPassword().meta({ description: 'Within the password policy of the organisation', example: 'correct horse battery' }),
  })
  .meta({ component: 'Acceptance' })
export type Acceptance = z.infer<typeof Acceptance>

export const Accepted = z.object({
  message: z.string().meta({ description: 'What was done', example: 'Invitation accepted' }),
  user: z
    .object({
      id: recordId('usr'),
      email: z.string().meta({ description: 'E-mail address of the person invited', example: 'carol@acme.test' }),
      name: z.string().meta({ description: 'First and last name', example: 'Carol Shaw' }),
    })
    .meta({ description: 'The user that the invitation has created' }),
  continueTo: z.string().nullable().optional().meta({
    description:
      'Where the browser continues: the `initiateLoginUri` of the application that the invitation names, with `iss` and `login_hint` (OpenID Connect Core §4); null when that has none. Absent when the invitation names no application',
    example: 'https://portal.acme.test/login?iss=https%3A%2F%2Fid.example.com&login_hint=carol%40acme.test',
  }),
})
