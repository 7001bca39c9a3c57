import type { IncomingHttpHeaders } from 'node:http'
import { type Command, InvalidArgumentError } from 'commander'
import { addCommand, addGroup, wrongUse } from '../add-command.ts'
import { secretOption } from './endpoint-secret.ts'

/** `gatehouse webhooks …` */
export function register(program: Command): void {
  const webhooks = addGroup(program, 'webhooks', 'Tools for receiving webhooks')

  addCommand(webhooks, 'listen', {
    summary: 'Receives webhooks on this machine, over HTTPS, and says what is wrong with a signature',
    examples: ['gatehouse webhooks listen --secret-file endpoint.secret --forward http://localhost:4000/hooks'],
    json: false,
  })
    .option(secretOption[0], `${secretOption[1]}; without either, signatures are not checked`)
    .option('--port <port>', 'port on 127.0.0.1; 0 takes a free one', '8443')
    .option('--forward <url>', 'forwards each accepted request with its original bytes and headers, and returns the response')
    .action(async ({ port, forward, ...options }: { secretFile?: string; port: string; forward?: string }, command: Command) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) wrongUse(command, `--port is "${port}" and must be 0 to 65535`)
      if (forward !== undefined && !/^https?:$/.test(URL.parse(forward)?.protocol ?? '')) {
        wrongUse(command, `--forward is "${forward}" and must be an http or https URL`)
      }
      await (await import('./listen.ts')).listen({ ...options, port: Number(port), forward })
    })

  addCommand(webhooks, 'verify', {
    summary: 'Says what is wrong with a request that a receiver has refused: the bytes, the secret, the format or a clock',
    examples: [
      'gatehouse webhooks verify body.json --secret-file endpoint.secret --header "X-Svc-Event: user.created" --header "X-Svc-Signature: 5f2a…"',
    ],
  })
    .argument('<file>', 'the body, byte for byte as received; - for standard input')
    .option(...secretOption)
    .requiredOption('--header <header>', 'a header of the request as `Name: value`; once for each', addHeader, {})
    .action(async (file, { header, ...options }) => (await import('./verify.ts')).verify(file, { ...options, headers: header }))

  addCommand(webhooks, 'deliveries', {
    summary: 'Lists the deliveries to the webhooks of an organisation, newest first',
    examples: ['gatehouse webhooks deliveries --organisation acme --status failed --limit 20'],
  })
    .requiredOption('--organisation <organisation>', 'slug or id of the organisation')
    .option('--webhook <id>', 'only those to this webhook')
    .option('--status <status>', 'only pending, failing, delivered or failed ones')
    .option('--event <name>', 'only those of this event')
    .option('--from <time>', 'only those at or after this time, such as 2026-01-31T09:00:00Z')
    .option('--to <time>', 'only those before this time')
    .option('--limit <number>', 'maximum number', '50')
    .action(async (options, command) => (await import('./deliveries.ts')).deliveries(options, command))
}

function addHeader(text: string, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It is written as `Name: value`.')
  return { ...headers, [name.toLowerCase()]: value.trim() }
}
