import type { Command } from 'commander'
import { addCommand, addGroup } from '../add-command.ts'

/** `gatehouse explain …` */
export function register(program: Command): void {
  const explain = addGroup(program, 'explain', 'Why a user or application may do something, or may not')
  const user = ['<user>', 'e-mail address or id'] as const

  addCommand(explain, 'user', {
    summary: 'Says whether a user may use a permission, which roles give it, and what is in the way',
    examples: ['gatehouse explain user anna@acme.test users:delete'],
  })
    .argument(...user)
    .argument('<permission>', 'slug of the permission')
    .action(async (emailOrId, permission, options) => (await import('./user.ts')).explainUser(emailOrId, permission, options))

  addCommand(explain, 'sign-in', {
    summary: 'Shows each step that a sign-in would take now, what is in the way, and how to fix it; issues nothing',
    examples: [
      'gatehouse explain sign-in anna@acme.test',
      'gatehouse explain sign-in anna@acme.test --client portal --redirect-uri https://app.acme.test/callback',
    ],
  })
    .argument('<email>', 'e-mail address')
    .option('--client <client>', 'the application that the user wants to use: its name or client_id')
    .option('--connection <connection>', 'the connection with which the user signs in: its slug or id')
    .option('--redirect-uri <uri>', 'the redirect URI that the application sends')
    .option('--permission <permission>', 'slug of the permission that the user needs')
    .action(async (email, options) => (await import('./sign-in.ts')).explainSignIn(email, options))

  addCommand(explain, 'client', {
    summary: 'Shows what an application would get if a user signed in now, and each check that would refuse; issues nothing',
    examples: ['gatehouse explain client cli_01kahm3z9n4v7f2t8q6w5r1y0x anna@acme.test --scope "openid profile"'],
  })
    .argument('<client>', 'client_id')
    .argument(...user)
    .option('--scope <scope>', 'scopes as in the authorization request, separated by spaces')
    .option('--resource <uri>', 'the API that the token would be for')
    .action(async (clientId, emailOrId, options) => (await import('./client.ts')).explainClient(clientId, emailOrId, options))

  addCommand(explain, 'assertion', {
    summary:
      'Shows each check that an identity assertion (ID-JAG) would meet now, and why it is refused; issues nothing, and does not use it up',
    examples: [
      'gatehouse explain assertion --file assertion.txt',
      'gatehouse explain assertion --file - --scope orders:read < assertion.txt',
    ],
  })
    .requiredOption('-f, --file <file>', 'has the assertion; - reads it from standard input')
    .option('--organisation <organisation>', 'slug or id; by default that of the application')
    .option('--client <client>', 'client_id of the application that presents it; by default the one that it names')
    .option('--resource <uri...>', 'the APIs that the request names')
    .option('--scope <scope>', 'the scopes that the request names, separated by spaces')
    .action(async (options, command) => (await import('./assertion.ts')).explainAssertion(options, command))
}
