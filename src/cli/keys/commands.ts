import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse keys …` and `gatehouse secret-key …` */
export function register(program: Command): void {
  const keys = addGroup(program, 'keys', 'The keys that sign tokens')

  addCommand(keys, 'list', {
    summary: 'Lists the published signing keys',
    examples: ['gatehouse keys list'],
  }).action(async (options) => (await import('./signing-keys.ts')).list(options))

  addCommand(keys, 'rotate', {
    summary: 'Makes the next key of each algorithm: it is published now, and signs once everybody has had time to learn of it',
    examples: ['gatehouse keys rotate', 'gatehouse keys rotate --withdraw'],
    changes: true,
  })
    .option('--withdraw', 'for keys that are no longer secret: new ones sign at once, and what the others signed is no longer valid')
    .action(async (options) => (await import('./signing-keys.ts')).rotate(options))

  const secretKey = addGroup(program, 'secret-key', 'The key that stored secrets are encrypted with: SECRET_KEY')

  addCommand(secretKey, 'rotate', {
    summary: 'Re-encrypts what is under SECRET_KEY_PREVIOUS with SECRET_KEY; it may be interrupted, and run again',
    examples: ['SECRET_KEY_PREVIOUS=$SECRET_KEY SECRET_KEY=$(openssl rand -base64 32) gatehouse secret-key rotate'],
    changes: true,
  }).action(async (options) => (await import('./secret-key.ts')).rotate(options))
}
