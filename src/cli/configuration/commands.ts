import type { Command } from 'commander'
import { addCommand, withOptions, wrongUse } from '../add-command.ts'
import { federatedOptions } from '../federated-options.ts'
import { remoteOptions } from '../over-network.ts'

/** `gatehouse diff`, `plan`, `apply` and `export` */
export function register(program: Command): void {
  const prune = ['--prune', 'ends objects that the document does not name, in those sections that it has'] as const

  withDocument(
    addCommand(program, 'diff', {
      summary: 'Shows how an organisation differs from a document, and who changed what when; exits with 1 if it differs',
      examples: ['gatehouse diff -f organisation.yaml', 'gatehouse diff -f acme/ --organisation acme-staging --prune'],
    }),
  )
    .option(...prune)
    .action(async (options, command) => (await import('./diff.ts')).diff(options, command))

  withDocument(
    addCommand(program, 'plan', {
      summary: 'Shows what applying a document to an organisation would change, and the consequences; changes nothing',
      examples: ['gatehouse plan -f organisation.yaml --out plan.json'],
    }),
  )
    .option(...prune)
    .option('--out <file>', 'writes the plan to a file for `gatehouse apply --plan`')
    .action(async (options, command) => (await import('./plan.ts')).plan(options, command))

  withDocument(
    addCommand(program, 'apply', {
      summary: 'Applies a document to an organisation, as a whole or not at all: by a plan, or by the document with --yes',
      examples: ['gatehouse apply --plan plan.json', 'gatehouse apply -f organisation.yaml --yes'],
      changes: true,
    }),
  )
    .option(...prune)
    .option('--plan <file>', 'applies this plan, unless the organisation has changed since')
    .option('--yes', 'apply without a plan, or delete objects without confirmation; needed where there is no terminal')
    .action(async (options, command: Command) => {
      const { plan, file, prune: prunes, yes, dryRun } = options
      if (plan !== undefined && (file.length > 0 || prunes))
        wrongUse(command, '--plan holds the document and what it ends: it goes without --file and --prune')
      if (plan === undefined && !prunes && !yes && !dryRun) wrongUse(command, 'Add --yes to apply a document without a plan')
      await (await import('./apply.ts')).apply(options, command)
    })

  withOptions(
    addCommand(program, 'export', {
      summary: 'Writes the configuration of an organisation as a document for `gatehouse plan`, without secrets',
      examples: ['gatehouse export --organisation acme > organisation.yaml'],
    })
      .option('--config', 'settings, roles, teams, clients, connections, directories, webhooks and names of API keys: the default')
      .requiredOption('--organisation <organisation>', 'slug or id of the organisation'),
    ofService,
  ).action(async (options) => (await import('./export.ts')).exportConfiguration(options))
}

const ofService = [...remoteOptions, ...federatedOptions]

const withDocument = (command: Command): Command =>
  withOptions(
    command
      .option(
        '-f, --file <path>',
        'the document, YAML or JSON, or a folder with its parts; can be repeated',
        (path, paths: string[]) => [...paths, path],
        [],
      )
      .option('--organisation <organisation>', 'slug or id, instead of the one in the document'),
    ofService,
  )
