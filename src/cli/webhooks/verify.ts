import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'
import { whyUnusable } from '../../platform/system-errors.ts'
import type { CommonOptions } from '../add-command.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'
import { endpointSecret, type SecretOptions, secretIsMissing } from './endpoint-secret.ts'
import { explainRequest } from './webhook-signature.ts'

export interface VerifyOptions extends CommonOptions, SecretOptions {
  headers: IncomingHttpHeaders
}

/** `gatehouse webhooks verify`: explains why a receiver refused a request. It needs no database. */
export async function verify(file: string, { headers, secretFile, ...options }: VerifyOptions): Promise<void> {
  const secret = (await endpointSecret({ ...(secretFile !== undefined && { secretFile }) })) ?? fail(secretIsMissing)
  const body = file === '-' ? await buffer(process.stdin) : await readBody(file)
  const { accepted, lines } = await explainRequest(headers, body, secret, new Date())
  show(options, { accepted, lines }, lines.join('\n'))
  if (!accepted) process.exitCode = 1
}

const fail = (message: string): never => {
  throw new CommandFailure(message)
}

const readBody = (file: string) =>
  readFile(file).catch((error: unknown) => {
    throw new CommandFailure(
      `${file} cannot be read: ${whyUnusable(error)}. Give the file of the body as it came, or - for the standard input`,
    )
  })
