import { z } from 'zod'
import { email, id, pathId, text, timestamp } from '../platform/http/fields.ts'
import { ListQuery } from '../platform/http/lists.ts'

export const UserParameters = z.object({
  id: pathId().meta({ description: 'Identifier of the organisation', example: 'org_01kahm3z9n4v7f2t8q6w5r1y0x' }),
  userId: pathId().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})

export const UserSearch = ListQuery.extend({
  email: email().meta({ description: 'The full e-mail address; finds deleted users, too', example: 'carol@acme.test' }),
})

/** The ways in which the operator can help a user who can no longer sign in. */
const recoveries = ['removeSecondFactors', 'unlock', 'unblock', 'passwordLink'] as const
export type Recovery = (typeof recoveries)[number]

const asked = (description: string) => z.boolean().optional().meta({ description, example: true })

export const RecoveryRequest = z.object({
  removeSecondFactors: asked(
    'Removes all second factors, and also the password, passkeys, linked accounts, API keys, set-up links, sessions, tokens, consents and mailed links and codes',
  ),
  passwordLink: asked('Mails the user a link to set a new password, and removes the same. Refused as a whole for a user who stays blocked'),
  unlock: asked('Lifts the lock after too many failed sign-ins or wrong codes'),
  unblock: asked('Lifts the block. Who was deactivated by a directory, before it or during it, is blocked by that one then'),
  reason: text().optional().meta({ description: 'Why; recorded in the audit log of the organisation', example: 'Ticket 4711: phone lost' }),
})
export type RecoveryRequest = z.infer<typeof RecoveryRequest>

export const RecoveryDone = z.object({
  done: z
    .array(z.enum(recoveries))
    .meta({ description: 'What was requested and done; omits what was not necessary', example: ['removeSecondFactors'] }),
  blockedAt: timestamp().nullable().meta({
    description: 'Since when the user is blocked, also after `unblock` has lifted a block and another has begun; null while they are not',
  }),
  blockedReason: z.string().nullable().meta({ description: 'Why, if it is stored', example: null }),
})

export const NewOwnerByOperator = z.object({
  userId: id().meta({ description: 'Id of a user of the organisation', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
})
