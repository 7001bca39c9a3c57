/** The kinds of records that have commands of the same form. */
import type { KindWord, RecordKind } from './kind.ts'
import { client, registrationToken, resourceAuthorizationServer, resourceServer } from './kinds/applications.ts'
import { apiKey, audit, organisation } from './kinds/organisation.ts'
import { invitation, permission, role, team, user } from './kinds/people.ts'
import { connection, directory, domain, setupLink } from './kinds/signing-in.ts'

/** The groups of commands are in this order. */
export const kinds: Readonly<Record<KindWord, RecordKind>> = {
  client,
  'registration-token': registrationToken,
  'resource-server': resourceServer,
  'resource-authorization-server': resourceAuthorizationServer,
  role,
  permission,
  team,
  invitation,
  'api-key': apiKey,
  connection,
  directory,
  'setup-link': setupLink,
  domain,
  audit,
  user,
  organisation,
}
