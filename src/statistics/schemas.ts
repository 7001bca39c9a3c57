import { z } from 'zod'
import { timestamp } from '../platform/http/fields.ts'

const count = (description: string, example: number) => z.number().int().meta({ description, example })
const group = <T extends z.ZodRawShape>(fields: T, description: string) => z.object(fields).optional().meta({ description })

export const Statistics = z
  .object({
    users: group(
      {
        total: count('All users', 1_240),
        active: count('Users who are not blocked', 1_237),
        blocked: count('Blocked users', 3),
        unverified: count('Users who have not verified their address', 41),
        withMfa: count('Users with a second factor', 870),
        neverSignedIn: count('Users who have not signed in yet', 58),
        createdLast30Days: count('Users who were created in the last 30 days', 35),
        signedInLast30Days: count('Users whose last sign-in was in the last 30 days', 1_022),
      },
      'Users who are not deleted. Requires `users:read`',
    ),
    sessions: group(
      { active: count('Sessions that have neither ended nor been revoked', 312) },
      'Sessions of users. Requires `users:read`',
    ),
    roles: group(
      {
        total: count('All roles', 5),
        added: count('Roles other than the three built-in ones', 2),
      },
      'Requires `roles:read`',
    ),
    invitations: group(
      {
        pending: count('Invitations that can be accepted', 7),
        expiringIn24Hours: count('Sessions that expire within 24 hours', 2),
        expired: count('Invitations whose time is over', 4),
      },
      'Requires `invitations:read`',
    ),
    clients: group(
      { active: count('OAuth clients that are not revoked', 12), revoked: count('Revoked OAuth clients', 1) },
      'Requires `clients:read`',
    ),
    apiKeys: group(
      {
        total: count('API keys, expired ones included', 9),
        expiringIn30Days: count('Keys that still work and expire within 30 days', 1),
        unusedFor90Days: count('Keys that still work and have neither been used nor created in the last 90 days', 2),
      },
      'Requires `api_keys:read`',
    ),
    webhooks: group(
      {
        active: count('Active endpoints, failing ones included', 4),
        failing: count('Active endpoints whose last attempt failed', 1),
        inactive: count('Endpoints that receive nothing', 2),
      },
      'Requires `webhooks:read`',
    ),
    directories: group(
      {
        active: count('Directories whose requests are accepted, failing ones included', 1),
        failing: count('Active directories whose requests are refused, or that have fallen silent', 0),
        users: count('Users whom directories manage', 840),
        groups: count('Groups that directories have sent', 36),
      },
      'Requires `directories:read`',
    ),
    asOf: timestamp('When users and sessions were counted'),
  })
  .meta({ component: 'Statistics' })
export type Statistics = z.infer<typeof Statistics>

export const SignIns = z
  .object({
    data: z
      .array(
        z.object({
          at: timestamp('When the bucket begins'),
          succeeded: count('Sign-ins that started a session', 42),
          failed: count('Sign-ins to an existing account that were refused: wrong password or code, blocked, suspended', 3),
          users: count('Distinct users who signed in', 40),
        }),
      )
      .meta({ description: 'Every hour or day of the range, oldest first, including those without sign-ins' }),
  })
  .meta({ component: 'SignIns' })
export type SignIns = z.infer<typeof SignIns>
