import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse organisation …` */
export function register(program: Command): void {
  const organisation = addGroup(program, 'organisation', 'Organisations of this installation')
  const argument = ['<organisation>', 'its slug or id'] as const

  addCommand(organisation, 'list', {
    summary: 'Lists organisations, also those that are suspended or cancelled',
    examples: ['gatehouse organisation list --search acme'],
  })
    .option('--search <text>', 'only those whose name, slug or e-mail address begins with this')
    .action(async (options) => (await import('./list.ts')).listOrganisations(options))

  addCommand(organisation, 'create', {
    summary: 'Creates an organisation on trial with its owner, who is mailed a link that sets a password',
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

  addCommand(organisation, 'suspend', {
    summary: 'Suspends an organisation: every session ends, and no user can sign in until it is activated',
    examples: ['gatehouse organisation suspend acme --reason "Invoice 4711 is overdue"'],
    changes: true,
  })
    .argument(...argument)
    .requiredOption('--reason <text>', 'why; it is stored, and stands in the audit log')
    .action(async (slugOrId, options) => (await import('./change-status.ts')).suspend(slugOrId, options))

  addCommand(organisation, 'activate', {
    summary: 'Activates an organisation that is on trial or suspended',
    examples: ['gatehouse organisation activate acme'],
    changes: true,
  })
    .argument(...argument)
    .action(async (slugOrId, options) => (await import('./change-status.ts')).activate(slugOrId, options))

  addCommand(organisation, 'delete', {
    summary: 'Cancels an organisation: nobody can sign in, its data is exported, and purged after the retention',
    examples: ['gatehouse organisation delete acme --dry-run', 'gatehouse organisation delete acme --yes'],
    changes: true,
  })
    .argument(...argument)
    .option('--reason <text>', 'why; it stands in the audit log')
    .option('--yes', 'does it; asked for because it cannot be undone')
    .action(async (slugOrId, options, command) => (await import('./change-status.ts')).remove(slugOrId, options, command))
}
