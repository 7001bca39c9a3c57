import type { Command } from 'commander'
import { addCommand, addGroup, yesOption } from '../add-command.ts'

/** `gatehouse keys …` and `gatehouse secret-key …` */
export function register(program: Command): void {
  const keys = addGroup(program, 'keys', 'The keys that sign tokens')

  addCommand(keys, 'list', {
    summary: 'Lists the published signing keys',
    examples: ['gatehouse keys list'],
  }).action(async (options) => (await import('./signing-keys.ts')).list(options))

  addCommand(keys, 'rotate', {
    summary: 'Makes the next key of each algorithm: it is published now, and signs once everybody has had time to learn of it',
    examples: ['gatehouse keys rotate', 'gatehouse keys rotate --withdraw --yes'],
    changes: true,
  })
    .option('--withdraw', 'for keys that are no longer secret: new ones sign at once, and what the others signed is no longer valid')
    .option(...yesOption)
    .action(async (options, command) => (await import('./signing-keys.ts')).rotate(options, command))

  const secretKey = addGroup(program, 'secret-key', 'The key that stored secrets are encrypted with: SECRET_KEY')

  addCommand(secretKey, 'rotate', {
    summary:
      'Re-encrypts every stored secret with a new key, which is in a file; SECRET_KEY is the present one. It may be interrupted, and run again. The service needs the new key afterwards',
    examples: ['openssl rand -base64 32 > new.key', 'gatehouse secret-key rotate --new-key-file new.key'],
    changes: true,
  })
    .option('--new-key-file <file>', 'holds the new key; without it SECRET_KEY is the new one, and SECRET_KEY_PREVIOUS the present one')
    .option('--yes', 'without a file: the new key in SECRET_KEY is stored where the service finds it')
    .action(async (options, command) => (await import('./secret-key.ts')).rotate(options, command))
}
