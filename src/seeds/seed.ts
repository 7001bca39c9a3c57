import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { ConfigError } from '../app/config-mistakes.ts'
import { documentSchema } from '../configuration/schemas.ts'
import { grants } from '../oauth/grants/grants.ts'
import { name, slug } from '../platform/http/fields.ts'
import { Problem } from '../platform/http/problem.ts'
import { whyUnusable } from '../platform/system-errors.ts'
import { NewTestOrganisation, seedUsers } from './organisations.ts'

const { apiKeys: _, organisation: __, ...sections } = documentSchema(grants, 'references').shape

/** A seed: a document of configuration as code, with the users of its organisation. */
export const seedSchema = z.strictObject({
  ...sections,
  organisation: slug().meta({ description: 'Slug of the organisation that is made', example: 'acme' }),
  name: name().optional().meta({ description: 'Its name', example: 'Acme' }),
  users: seedUsers,
})

/**
 * Reads a seed. The secret of a connection names a variable of the environment, as in a document of configuration.
 *
 * @throws ConfigError naming each mistake by its place in the file
 */
export async function readSeed(file: string, environment: Readonly<Record<string, string | undefined>>): Promise<NewTestOrganisation> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError([`${file} cannot be read: ${whyUnusable(error)}`])
  })
  const { organisation, clients = {}, connections, $schema: _, ...seed } = parsed(file, seedSchema, yamlIn(file, text))
  const missing: string[] = []
  const secretOf = (key: string, reference: string) => {
    const variable = reference.slice('${'.length, -1)
    if (!environment[variable]) missing.push(`${file}: connections.${key}.secret: the variable ${variable} is not set`)
    return environment[variable]
  }
  const withSecrets = Object.entries(connections ?? {}).map(([key, { secret, ...connection }]) => [
    key,
    { ...connection, ...(secret !== undefined && { secret: secretOf(key, secret) }) },
  ])
  if (missing.length > 0) throw new ConfigError(missing)
  return parsed(file, NewTestOrganisation, {
    ...seed,
    slug: organisation,
    clients: Object.entries(clients).map(([key, client]) => ({ key, ...client })),
    ...(connections && { connections: Object.fromEntries(withSecrets) }),
  })
}

/**
 * Says where in the file a mistake is that was found while its organisation was made.
 *
 * @throws ConfigError naming each mistake by its place
 */
export async function explained<Made>(file: string, making: Promise<Made>): Promise<Made> {
  try {
    return await making
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const mistakes = error.errors?.map(({ path, message }) => `${file}: ${path.join('.')}: ${message}`)
    throw new ConfigError(mistakes ?? [`${file}: ${error.detail}`])
  }
}

function yamlIn(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new ConfigError([`${file}: ${(error as Error).message}`])
  }
}

function parsed<Schema extends z.ZodType>(file: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ConfigError(result.error.issues.map(({ path, message }) => `${file}: ${path.join('.') || 'seed'}: ${message}`))
}
