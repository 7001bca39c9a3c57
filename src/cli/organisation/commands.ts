import type { Command } from 'commander'
import { addCommand, addGroup, yesOption } from '../add-command.ts'
import { addRecordCommands } from '../records/add-commands.ts'
import { kinds } from '../records/kinds.ts'

/** `gatehouse organisation …` */
export function register(program: Command): void {
  const organisation = addGroup(program, 'organisation', 'Organisations of this installation')
  const argument = ['<organisation>', 'its slug or id'] as const

  addCommand(organisation, 'list', {
    summary: 'Lists organisations, including suspended and cancelled ones',
    examples: ['gatehouse organisation list --search acme'],
  })
    .option('--search <text>', 'only those whose name, slug or e-mail address begins with this')
    .action(async (options) => (await import('./list.ts')).listOrganisations(options))

  addCommand(organisation, 'create', {
    summary: 'Creates an organisation on trial with its owner, who gets a mail with a link to set a password if there is a mail server',
    examples: ['gatehouse organisation create --name Globex --slug globex --email it@globex.test --owner-email hank@globex.test'],
    changes: true,
  })
    .requiredOption('--name <name>', 'unique in this installation')
    .requiredOption('--slug <slug>', 'short name for programs, unique in this installation; cannot be changed')
    .requiredOption('--email <address>', 'contact of the organisation')
    .requiredOption('--owner-email <address>', 'of the owner')
    .option('--owner-first-name <name>', 'first name of the owner')
    .option('--owner-last-name <name>', 'last name of the owner')
    .action(async (options, command) => (await import('./create.ts')).create(options, command))

  addRecordCommands(organisation, kinds.organisation)

  addCommand(organisation, 'suspend', {
    summary: 'Suspends an organisation: every session ends, and no user can sign in until it is activated',
    examples: [
      'gatehouse organisation suspend acme --reason "Invoice 4711 is overdue" --dry-run',
      'gatehouse organisation suspend acme --reason "Invoice 4711 is overdue" --yes',
    ],
    changes: true,
  })
    .argument(...argument)
    .requiredOption('--reason <text>', 'why; stored with the organisation and in the audit log')
    .option(...yesOption)
    .action(async (slugOrId, options, command) => (await import('./change-status.ts')).suspend(slugOrId, options, command))

  addCommand(organisation, 'activate', {
    summary: 'Activates an organisation that is on trial or suspended',
    examples: ['gatehouse organisation activate acme'],
    changes: true,
  })
    .argument(...argument)
    .action(async (slugOrId, options) => (await import('./change-status.ts')).activate(slugOrId, options))

  addCommand(organisation, 'delete', {
    summary: 'Cancels an organisation: its users cannot sign in, its data is exported, and purged after the retention period',
    examples: ['gatehouse organisation delete acme --dry-run', 'gatehouse organisation delete acme --yes'],
    changes: true,
  })
    .argument(...argument)
    .option('--reason <text>', 'why; recorded in the audit log')
    .option(...yesOption)
    .action(async (slugOrId, options, command) => (await import('./change-status.ts')).remove(slugOrId, options, command))

  addCommand(organisation, 'restore', {
    summary: 'Reverts the cancellation of an organisation, as long as its data has not been purged',
    examples: ['gatehouse organisation restore acme --dry-run', 'gatehouse organisation restore acme'],
    changes: true,
  })
    .argument(...argument)
    .action(async (slugOrId, options) => (await import('./change-status.ts')).restore(slugOrId, options))

  addCommand(organisation, 'export', {
    summary: 'Writes an organisation to a file, which another installation imports with the same ids',
    examples: [
      'gatehouse organisation export acme acme.jsonl',
      'gatehouse organisation export acme acme-with-secrets.jsonl --with-secrets --recipient new.public.jwk',
    ],
  })
    .argument(...argument)
    .argument('<file>', 'the file to write; it must not exist')
    .option('--with-secrets', 'also password hashes, TOTP secrets and other secrets, encrypted for the recipient')
    .option('--recipient <file>', 'the public key that secrets are encrypted for: a JWK, or PEM')
    .action(async (slugOrId, file, options, command) => (await import('./export.ts')).exportTo(slugOrId, file, options, command))

  addCommand(organisation, 'import', {
    summary: "Imports an organisation from another installation's file, as a whole or not at all, after checking all of it",
    examples: [
      'gatehouse organisation import acme.jsonl --trust https://id.example.com --dry-run',
      'gatehouse organisation import acme.jsonl --trust https://id.example.com --key new.jwk',
    ],
    changes: true,
  })
    .argument('<file>', 'the file from `gatehouse organisation export`')
    .option('--trust <issuer>', 'the installation that must have signed the file: its PUBLIC_URL')
    .option('--jwks <file>', 'with --trust: a copy of its published keys, if they cannot be fetched over https')
    .option('--untrusted', "accepts anyone's file, without what grants access: permissions, API keys, verified domains, active connections")
    .option('--key <file>', 'the private key that opens its secrets: a JWK, or PEM')
    .option('--ignore-trial-limit', 'allows an organisation on trial more users than TRIAL_MAX_USERS')
    .action(async (file, options, command) => (await import('./import.ts')).importFrom(file, options, command))

  addCommand(organisation, 'recipient-key', {
    summary: 'Makes the key pair for exported secrets: the private key, and the public key in a file beside it',
    examples: ['gatehouse organisation recipient-key new.jwk'],
  })
    .argument('<file>', 'the file for the private key; it must not exist')
    .action(async (file, options) => (await import('./recipient-key.ts')).createRecipientKey(file, options))
}
