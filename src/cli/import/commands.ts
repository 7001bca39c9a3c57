import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'
import { withMapRole } from './map-role.ts'

/** `gatehouse import …` */
export function register(program: Command): void {
  const group = addGroup(program, 'import', 'Imports users from another system, with their passwords')

  const ofUsers = addCommand(group, 'users', {
    summary: 'Creates the users in a file of JSON lines or CSV, after checking all of it',
    examples: [
      'gatehouse import users users.jsonl --organisation acme --dry-run',
      'gatehouse import users users.csv --organisation acme --map given_name=firstName,family_name=lastName,nickname=',
    ],
    changes: true,
  })
    .argument('<file>', 'one user per line as JSON, or CSV with the field names in its header')
    .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
    .option('--format <format>', "csv or jsonl; by default from the file's extension")
    .option('--map <pairs>', 'renames fields: theirs=ours,…; theirs= leaves one out')
    .option('--resume', 'skips users who are already in the organisation, by e-mail address or external id')
    .option('--send-links', 'mails users without a password a link to set one')
    .option('--ignore-trial-limit', 'allows an organisation on trial more users than TRIAL_MAX_USERS')
    .action(async (file, options, command) => (await import('./users.ts')).users(file, options, command))
  withMapRole(ofUsers)

  const common = (command: Command) =>
    command
      .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
      .option('--resume', 'skips users who are already in the organisation, by e-mail address or external id')
      .option('--send-links', 'mails users without a password a link to set one')
      .option('--ignore-trial-limit', 'allows an organisation on trial more users than TRIAL_MAX_USERS')

  const ofRealm = common(
    addCommand(group, 'keycloak', {
      summary: 'Imports a Keycloak realm: users, roles, groups as teams, clients, identity providers',
      examples: ['gatehouse import keycloak realm.json --organisation acme --dry-run'],
      changes: true,
    }),
  )
    .argument('<file>', 'the export of the realm, with its users')
    .action(async (file, options, command) => (await import('./keycloak.ts')).keycloak(file, options, command))
  withMapRole(ofRealm)

  common(
    addCommand(group, 'auth0', {
      summary: 'Imports users from Auth0: its export, its export of password hashes, or the file of a bulk import',
      examples: ['gatehouse import auth0 users.ndjson --password-hashes hashes.ndjson --organisation acme --dry-run'],
      changes: true,
    }),
  )
    .argument('<file>', 'users as JSON, one per line or in an array')
    .option('--password-hashes <file>', 'the export of password hashes, which Auth0 provides on request')
    .action(async (file, options) => (await import('./auth0.ts')).auth0(file, options))
}
