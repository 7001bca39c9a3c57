import { z } from 'zod'
import { NewConnection, SentConfiguration } from '../connections/schemas.ts'
import { NewDirectory } from '../directories/schemas.ts'
import { NewDomain } from '../domains/schemas.ts'
import { isSecret, name, recordId, timestamp } from '../platform/http/fields.ts'

const purposes = ['domain', 'oidc', 'saml', 'scim'] as const
const hoursMax = 168

const Purposes = z
  .array(z.enum(purposes))
  .min(1)
  .max(purposes.length)
  .overwrite((values) => [...new Set(values)])
  .meta({
    description:
      '`domain`: one e-mail domain is verified. `oidc`, `saml`: an identity provider is connected; with both, the visitor chooses the protocol. `scim`: a directory is set up',
    example: ['domain', 'saml'],
  })

const connection = NewConnection.shape
const directory = NewDirectory.shape

/** Everything that decides who becomes whom: the visitor of a link sees it, and cannot change it. */
export const SetupSettings = z.object({
  provisioning: connection.provisioning,
  linking: connection.linking,
  syncOn: connection.syncOn,
  trustsMfa: connection.trustsMfa,
  mapping: connection.mapping,
  roleMappings: connection.roleMappings,
  teamMappings: connection.teamMappings,
  allowedDomains: SentConfiguration.shape.allowedDomains,
  emailTrust: SentConfiguration.shape.emailTrust,
  sso: NewDomain.shape.sso,
  emailChanges: directory.emailChanges,
  deletes: directory.deletes,
  groups: directory.groups,
  groupMappings: directory.groupMappings,
})
export type SetupSettings = z.infer<typeof SetupSettings>

const fields = {
  name: name().meta({ description: 'What administrators call it, such as the customer; the visitor reads it', example: 'Acme' }),
  activate: z.boolean().meta({
    description: 'Whether what is made is active as soon as the link is finished. Otherwise an administrator activates it',
    example: false,
  }),
}

export const NewSetupLink = z
  .object({
    name: fields.name,
    purposes: Purposes,
    expiresInHours: z
      .number()
      .int()
      .min(1)
      .max(hoursMax)
      .default(72)
      .meta({ description: 'After how many hours the link stops working', example: 72 }),
    activate: fields.activate.default(false),
    settings: SetupSettings.prefault({}).meta({
      description:
        'What is decided for the connection (`provisioning` to `emailTrust`), the domain (`sso`) and the directory (`emailChanges` to `groupMappings`)',
    }),
  })
  .meta({ component: 'NewSetupLink' })
export type NewSetupLink = z.infer<typeof NewSetupLink>

const made = (what: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `The ${what} that was made by it; null before`, example })

export const SetupLinkRecord = z
  .object({
    id: recordId('sul'),
    name: fields.name,
    purposes: z.array(z.enum(purposes)).meta({ description: 'What it is for', example: ['domain', 'saml'] }),
    state: z.enum(['open', 'in_use', 'finished', 'ended', 'expired']).meta({
      description:
        '`open` before it is opened for the first time. `finished`: everything that it is for is set up. `ended`: by an administrator, or with a right that its creator has lost',
    }),
    activate: fields.activate,
    settings: z
      .object(SetupSettings.shape)
      .meta({ component: 'SetupSettings' })
      .meta({ description: 'What was decided for what is made by it' }),
    connectionId: made('connection', 'con_01kahm3z9n4v7f2t8q6w5r1y0x'),
    domainId: made('domain', 'dom_01kahm3z9n4v7f2t8q6w5r1y0x'),
    directoryId: made('directory', 'dir_01kahm3z9n4v7f2t8q6w5r1y0x'),
    createdById: z
      .string()
      .nullable()
      .meta({ description: 'The user who is responsible for it; null for the operator', example: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x' }),
    firstUsedAt: timestamp().nullable().meta({ description: 'When it was opened for the first time; null before' }),
    lastUsedAt: timestamp().nullable().meta({ description: 'When it was last used; null before the first time' }),
    lastIpAddress: z.string().nullable().meta({ description: 'From which address it was last used', example: '203.0.113.7' }),
    testedAt: timestamp().nullable().meta({ description: 'When a test sign-in passed every check; null before' }),
    finishedAt: timestamp().nullable().meta({ description: 'When everything was set up; null before' }),
    activatedAt: timestamp().nullable().meta({ description: 'When what was made by it was activated; null before' }),
    endedAt: timestamp().nullable().meta({ description: 'When it ended before it was finished; null otherwise' }),
    endedBecause: z.enum(['deleted', 'expired', 'right_lost', 'organisation_inactive']).nullable().meta({
      description:
        'Why it ended: by an administrator, by its time, because its creator lost a right that it needs, or with the organisation',
    }),
    expiresAt: timestamp('When it stops working'),
    createdAt: timestamp('When it was created'),
  })
  .meta({ component: 'SetupLink' })
export type SetupLinkRecord = z.infer<typeof SetupLinkRecord>

export const SetupLinkWithUrl = SetupLinkRecord.extend({
  url: z.string().meta({
    ...isSecret,
    description: 'The link, which is shown this once. Its secret follows the `#`, so that no server logs it',
    example: 'https://id.example.com/setup#Zb3kQ9xWdBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g',
  }),
}).meta({ component: 'SetupLinkWithUrl' })
