import type { Command } from 'commander'
import { addGroup } from '../add-command.ts'
import { addRecordCommands } from './add-commands.ts'
import type { KindWord } from './kind.ts'
import { kinds } from './kinds.ts'

const groups: readonly [KindWord, string][] = [
  ['client', 'Applications of an organisation (OAuth clients)'],
  ['registration-token', 'Tokens by which programs register clients themselves'],
  ['resource-server', 'APIs that access tokens are issued for'],
  ['resource-authorization-server', 'Authorization servers of other companies that take identity assertions'],
  ['role', 'Roles of an organisation'],
  ['permission', 'Permissions of this installation'],
  ['team', 'Teams of an organisation'],
  ['invitation', 'Invitations into an organisation'],
  ['api-key', 'API keys of an organisation'],
  ['connection', 'Identity providers that users of an organisation sign in by'],
  ['directory', 'Directories that manage users of an organisation by SCIM'],
  ['setup-link', 'Links by which a person without an account sets up a connection, a domain or a directory'],
  ['domain', 'Domains of an organisation'],
  ['audit', 'The audit log of an organisation'],
]

/** `gatehouse client …`, `gatehouse role …` and the other commands of the same form. */
export function register(program: Command): void {
  for (const [word, summary] of groups) addRecordCommands(addGroup(program, word, summary), kinds[word])
}
