import type { Command } from 'commander'
import { addCommand, addGroup, yesOption } from '../add-command.ts'
import { addRecordCommands } from '../records/add-commands.ts'
import { kinds } from '../records/kinds.ts'
import { removed, removedBesidesFactors } from './recovery-words.ts'

/** `gatehouse user …` */
export function register(program: Command): void {
  const user = addGroup(program, 'user', 'Users, and the recovery of accounts that no administrator can help')
  const argument = ['<user>', 'e-mail address or id'] as const
  const reason = ['--reason <text>', 'why; recorded in the audit log of the organisation'] as const

  addCommand(user, 'find', {
    summary: 'Finds a user, deleted or not; the audit log of the organisation records the look-up',
    examples: ['gatehouse user find anna@acme.test'],
  })
    .argument(...argument)
    .action(async (emailOrId, options) => (await import('./find.ts')).find(emailOrId, options))

  addCommand(user, 'create', {
    summary: 'Creates a user and mails them a link to set a password',
    examples: ['gatehouse user create --organisation acme --email carol@acme.test --first-name Carol --last-name Shaw --role admin'],
    changes: true,
  })
    .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
    .requiredOption('--email <address>', 'unique in this installation')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .option('--role <role...>', 'slugs or ids of roles; without any, the default role of the organisation')
    .option('--metadata <json>', 'an object of your own, up to 8 KiB')
    .option('--no-mail', 'sends no mail; use `user password-link` to make a link')
    .action(async (options, command) => (await import('./create.ts')).create(options, command))

  addCommand(user, 'block', {
    summary: 'Blocks a user and ends all their sessions; the owner of an organisation cannot be blocked',
    examples: ['gatehouse user block carol@acme.test --reason "Left the company"'],
    changes: true,
  })
    .argument(...argument)
    .option('--reason <text>', 'why; shown on the record of the user')
    .action(async (emailOrId, options) => (await import('./block.ts')).block(emailOrId, options))

  addCommand(user, 'unblock', {
    summary: 'Unblocks a user, and lifts the lock after too many failed sign-ins or wrong codes; the user gets a mail',
    examples: ['gatehouse user unblock carol@acme.test'],
    changes: true,
  })
    .argument(...argument)
    .option(...reason)
    .action(async (emailOrId, options) => (await import('./recover.ts')).unblock(emailOrId, options))

  addCommand(user, 'reset-mfa', {
    summary: `Removes all second factors of a user who has any, with the password, ${removedBesidesFactors}; the user gets a mail`,
    examples: ['gatehouse user reset-mfa owner@acme.test --reason "Ticket 4711: phone lost" --yes'],
    changes: true,
  })
    .argument(...argument)
    .option(...reason)
    .option(...yesOption)
    .action(async (emailOrId, options, command) => (await import('./recover.ts')).resetMfa(emailOrId, options, command))

  addCommand(user, 'password-link', {
    summary: `Prints a link that sets a new password once, within an hour, and removes every other means to act as the user: password, ${removed}. Give the link only to the user, who gets a mail about it`,
    examples: ['gatehouse user password-link owner@acme.test --yes', 'gatehouse user password-link owner@acme.test --mail --yes'],
    changes: true,
  })
    .argument(...argument)
    .option('--mail', 'mails the link to the user instead of printing it')
    .option(...reason)
    .option(...yesOption)
    .action(async (emailOrId, options, command) => (await import('./recover.ts')).passwordLink(emailOrId, options, command))

  addRecordCommands(user, kinds.user)

  const sessions = addGroup(user, 'sessions', 'Sessions of a user')
  addCommand(sessions, 'end', {
    summary: 'Signs a user out everywhere, and ends the tokens that applications have for them',
    examples: ['gatehouse user sessions end carol@acme.test'],
    changes: true,
  })
    .argument(...argument)
    .action(async (emailOrId, options) => (await import('./end-sessions.ts')).endSessions(emailOrId, options))
}
