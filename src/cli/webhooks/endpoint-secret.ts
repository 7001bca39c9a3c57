import process from 'node:process'
import { readNamedFile } from '../read-named-file.ts'

const variable = 'GATEHOUSE_WEBHOOK_SECRET'

export interface SecretOptions {
  secretFile?: string
}

/** The option that names the file with an endpoint's secret. The secret is no argument: every user of the machine can read those. */
export const secretOption = [
  '--secret-file <file>',
  `the file with the secret of the endpoint, instead of the variable ${variable}`,
] as const

/** @returns undefined when neither the file nor the variable is set */
export async function endpointSecret({ secretFile }: SecretOptions): Promise<string | undefined> {
  if (secretFile === undefined) return process.env[variable] || undefined
  const text = await readNamedFile(secretFile, { hint: '. Give the file that holds the secret of the endpoint' })
  return text.replace(/\r?\n$/, '')
}

export const secretIsMissing = `The secret of the endpoint is missing: set ${variable}, or name its file with --secret-file`
