import type { Config } from '../app/config.ts'
import { ConfigError } from '../app/config-mistakes.ts'
import type { Services } from '../app/services.ts'
import { type MadeOrganisation, makeOrganisation } from './organisations.ts'
import { explained, readSeed } from './seed.ts'

/** A seed, and the file that it is from. */
export interface FoundSeed {
  file: string
  seed: Awaited<ReturnType<typeof readSeed>>
}

/**
 * Reads seeds for a service.
 *
 * @throws ConfigError in production, where passwords that stand in a file must not open anything, and for mistakes in the files
 */
export async function seedsFor({ production, workers }: Config, files: readonly string[]): Promise<FoundSeed[]> {
  if (production) throw new ConfigError(['--seed is for development: in production, use `gatehouse apply` for what a document describes'])
  if (workers !== 1) throw new ConfigError(['--seed needs WORKERS=1'])
  return Promise.all(files.map(async (file) => ({ file, seed: await readSeed(file, process.env) })))
}

/**
 * Makes the organisations of seeds.
 *
 * @throws ConfigError where there are organisations besides the first one, since they may be in use
 */
export async function plant(services: Services, { bootstrap }: Config, seeds: readonly FoundSeed[]): Promise<MadeOrganisation[]> {
  const slugs = await services.database.system().selectFrom('organisations').select('slug').execute()
  const isOfSeed = (slug: string) => seeds.some(({ seed }) => seed.slug === slug)
  const others = slugs.filter(({ slug }) => slug !== bootstrap?.slug || isOfSeed(slug))
  if (others.length > 0)
    throw new ConfigError([
      'The database has organisations already, and --seed makes its own in one that has none: start without it, or with another DATA_DIR',
    ])
  const made: MadeOrganisation[] = []
  for (const { file, seed } of seeds) made.push(await explained(file, makeOrganisation(services, seed)))
  return made
}
