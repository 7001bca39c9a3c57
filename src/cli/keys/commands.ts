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
    summary: 'Makes the next key of each algorithm: it is published now, and signs once all receivers have had time to fetch it',
    examples: ['gatehouse keys rotate', 'gatehouse keys rotate --withdraw --yes'],
    changes: true,
  })
    .option('--withdraw', 'for leaked keys: new ones sign at once, and everything that the others signed becomes invalid')
    .option(...yesOption)
    .action(async (options, command) => (await import('./signing-keys.ts')).rotate(options, command))

  const secretKey = addGroup(program, 'secret-key', 'The key that stored secrets are encrypted with: SECRET_KEY')

  addCommand(secretKey, 'rotate', {
    summary:
      'Re-encrypts every stored secret with a new key from a file; SECRET_KEY is the current one. You can interrupt it and run it again. The service needs the new key afterwards',
    examples: ['openssl rand -base64 32 > new.key', 'gatehouse secret-key rotate --new-key-file new.key'],
    changes: true,
  })
    .option('--new-key-file <file>', 'has the new key; without it SECRET_KEY is the new one, and SECRET_KEY_PREVIOUS the current one')
    .option('--leave-unreadable', 'continues where secrets are under a third key, which is lost; they stay as they are')
    .option('--yes', 'without a file: confirms that the new key in SECRET_KEY is stored where the service finds it')
    .action(async (options, command) => (await import('./secret-key.ts')).rotate(options, command))
}
