import type { Command } from 'commander'
import { addCommand, withOptions } from '../add-command.ts'
import { remoteOptions } from '../over-network.ts'

/** `gatehouse create` */
export function register(program: Command): void {
  const command = addCommand(program, 'create', {
    summary: 'Copies an example application, and registers it in an organisation, so that it runs',
    examples: ['gatehouse create web-express --organisation acme', 'gatehouse create machine-to-machine stock --organisation acme'],
    changes: true,
  })
    .argument('<example>', 'web-express, web-hono, spa-and-api, step-up, machine-to-machine, webhooks, cli-device or mcp-server')
    .argument('[folder]', 'where it is copied to, named as the example unless you name one')
    .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
  withOptions(command, remoteOptions).action(async (example, folder, options, command) =>
    (await import('./create.ts')).create(example, folder, options, command),
  )
}
