import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'
import { withMapRole } from './map-role.ts'

/** `gatehouse import …` */
export function register(program: Command): void {
  const group = addGroup(program, 'import', 'Users of another system, with the passwords that they have there')

  const ofUsers = addCommand(group, 'users', {
    summary: 'Creates the users of a file, JSON lines or CSV, after all of it has been checked',
    examples: [
      'gatehouse import users users.jsonl --organisation acme --dry-run',
      'gatehouse import users users.csv --organisation acme --map given_name=firstName,family_name=lastName,nickname=',
    ],
    changes: true,
  })
    .argument('<file>', 'one user a line as JSON, or CSV whose header names the fields')
    .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
    .option('--format <format>', 'csv or jsonl; without it, the ending of the name says')
    .option('--map <pairs>', 'fields of other names: theirs=ours,…; theirs= leaves one out')
    .option('--resume', 'passes over users who are in the organisation already, by e-mail address or external id')
    .option('--send-links', 'mails users without a password the link that sets one')
    .option('--ignore-trial-limit', 'lets an organisation on trial have more users than TRIAL_MAX_USERS')
    .action(async (file, options, command) => (await import('./users.ts')).users(file, options, command))
  withMapRole(ofUsers)

  const common = (command: Command) =>
    command
      .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
      .option('--resume', 'passes over users who are in the organisation already, by e-mail address or external id')
      .option('--send-links', 'mails users without a password the link that sets one')
      .option('--ignore-trial-limit', 'lets an organisation on trial have more users than TRIAL_MAX_USERS')

  const ofRealm = common(
    addCommand(group, 'keycloak', {
      summary: 'Imports a realm of Keycloak: users, roles, groups as teams, clients, identity providers',
      examples: ['gatehouse import keycloak realm.json --organisation acme --dry-run'],
      changes: true,
    }),
  )
    .argument('<file>', 'the export of the realm, with its users')
    .action(async (file, options, command) => (await import('./keycloak.ts')).keycloak(file, options, command))
  withMapRole(ofRealm)

  common(
    addCommand(group, 'auth0', {
      summary: 'Imports users of Auth0: its export, its export of password hashes, or the file of a bulk import',
      examples: ['gatehouse import auth0 users.ndjson --password-hashes hashes.ndjson --organisation acme --dry-run'],
      changes: true,
    }),
  )
    .argument('<file>', 'users, one a line as JSON or as an array')
    .option('--password-hashes <file>', 'the export of password hashes, which Auth0 hands out on request')
    .action(async (file, options) => (await import('./auth0.ts')).auth0(file, options))
}
