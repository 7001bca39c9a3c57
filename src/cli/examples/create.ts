import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import type { NamedId, NewSecret } from '../../configuration/apply.ts'
import type { ConfigurationDocument } from '../../configuration/schemas.ts'
import { Problem } from '../../platform/http/problem.ts'
import { whyUnusable, whyUnwritable } from '../../platform/system-errors.ts'
import { wrongUse } from '../add-command.ts'
import { readDocument } from '../configuration/read-document.ts'
import type { Target, TargetOptions } from '../configuration/target.ts'
import { placed, withTarget } from '../configuration/with-target.ts'
import { CommandFailure } from '../failures.ts'
import { show } from '../output.ts'

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url))
const settingsFile = '.env'
const templateOfSettings = '.env.example'
const documentFile = 'gatehouse.yaml'
const cookieSecretBytes = 32

interface CreateOptions extends TargetOptions {
  organisation: string
}

/** What an example says of itself in its package.json. */
interface Manifest {
  gatehouse: {
    /** The names in OAUTH_EXTENSIONS that it needs. */
    extensions: string[]
    /** What to do once it runs, in a sentence. */
    then: string
  }
}

/** `gatehouse create`: nothing is left behind where something is refused. */
export async function create(example: string, folder: string | undefined, options: CreateOptions, command: Command): Promise<void> {
  const names = await namesOfExamples()
  if (!names.includes(example)) wrongUse(command, `<example> is "${example}" and must be one of ${names.join(', ')}`)
  const place = resolve(folder ?? example)
  await refuseUsed(place)
  const source = join(examples, example)
  const { gatehouse: manifest }: Manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
  const written = await readDocument([join(source, documentFile)])
  const key = basename(place)
  const document = underAnotherKey(written.document, example, key)
  await placed(written, () =>
    withTarget({ ...options, isChange: true }, options.organisation, async (target) => {
      const basis = await basisOfNew(target, document).catch((error) => {
        throw lacksExtension(error) ? extensionsNeeded(example, manifest.extensions, options) : error
      })
      const gatehouseUrl = await target.issuer()
      const copied = `${place}.${randomBytes(6).toString('hex')}`
      let isRegistered = false
      try {
        if (!options.dryRun) await copy(source, copied)
        const { secrets, ids } = await target.apply({ document, prune: false, basis })
        const settings = settingsOf({ gatehouseUrl, secrets, ids })
        isRegistered = !options.dryRun
        if (!options.dryRun) {
          const template = await readFile(join(copied, templateOfSettings), 'utf8')
          await writeFile(join(copied, settingsFile), filledIn(template, settings), { mode: 0o600 })
          await putInPlace(copied, place)
        }
        const registered = options.dryRun ? [] : ids
        const shown = { example, folder: place, organisation: target.slug, ids: registered, needs: manifest.extensions }
        show(options, shown, textOf(target.slug, example, place, registered, manifest, options))
      } finally {
        // It has the only copy of a secret: what fails from then on says where it is.
        if (!isRegistered) await rm(copied, { recursive: true, force: true })
      }
    }),
  )
}

async function namesOfExamples(): Promise<string[]> {
  const entries = await readdir(examples, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  if (names.length === 0) throw new CommandFailure('This installation has no examples: the package and the sources have them')
  return names
}

/** @throws CommandFailure unless there is nothing at the place, or an empty folder */
async function refuseUsed(place: string): Promise<void> {
  const found = await readdir(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CommandFailure(`${place} cannot be used: ${error.code === 'ENOTDIR' ? 'it is a file' : whyUnusable(error)}`)
  })
  if (found.length > 0) throw new CommandFailure(`${place} is not empty: name another folder`)
}

/** @throws CommandFailure for a folder that cannot be written. Those above it are not made: a wrong path is more likely. */
async function copy(source: string, folder: string): Promise<void> {
  try {
    await mkdir(folder)
    await cp(source, folder, { recursive: true })
  } catch (error) {
    throw new CommandFailure(`${folder} cannot be made: ${whyUnwritable(error)}`)
  }
}

/** An empty folder stays the one that it is: a shell may be in it. */
async function putInPlace(copied: string, place: string): Promise<void> {
  if (!existsSync(place)) return rename(copied, place)
  await cp(copied, place, { recursive: true })
  await rm(copied, { recursive: true })
}

/** The document with another key in place of one, of which its objects have no other. */
const underAnotherKey = (document: ConfigurationDocument, from: string, to: string): ConfigurationDocument =>
  Object.fromEntries(Object.entries(document).map(([section, objects]) => [section, renamed(objects, from, to)]))

function renamed(value: unknown, from: string, to: string): unknown {
  if (value === from) return to
  if (Array.isArray(value)) return value.map((one) => renamed(one, from, to))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name === from ? to : name, renamed(inner, from, to)]))
}

/**
 * The basis of a plan that creates everything that the document names.
 *
 * @throws CommandFailure when some of it is there: its secret was shown when it was made, and is not shown again
 */
async function basisOfNew(target: Target, document: ConfigurationDocument): Promise<string> {
  const { changes, basis } = await target.plan({ document, prune: false })
  const created = new Set(changes.filter(({ action }) => action === 'create').map(({ section, object }) => `${section}.${object}`))
  const { organisation: _, $schema: __, ...sections } = document
  const named = Object.entries(sections).flatMap(([section, objects]) => Object.keys(objects ?? {}).map((key) => `${section}.${key}`))
  const [present] = named.filter((one) => !created.has(one))
  if (present !== undefined) throw new CommandFailure(`${target.slug} has ${present} already: name another folder, or delete it first`)
  return basis
}

const lacksExtension = (error: unknown) =>
  error instanceof Problem && error.errors?.some(({ reason }) => reason === 'extension-needed') === true

/** All of them at once, and whose: a service that has them does not give them to a command beside it. */
const extensionsNeeded = (example: string, extensions: readonly string[], { url }: CreateOptions) =>
  new CommandFailure(
    `${example} needs OAUTH_EXTENSIONS to hold ${extensions.join(',')}: set it for the service${url === undefined ? ', and for this command as well' : ''}`,
  )

interface Registered {
  gatehouseUrl: string
  secrets: readonly NewSecret[]
  ids: readonly NamedId[]
}

/** The value of each setting that an example may have. */
function settingsOf({ gatehouseUrl, secrets, ids }: Registered): Record<string, string | undefined> {
  const secretOf = (section: string) => secrets.find((one) => one.section === section)?.secret
  return {
    GATEHOUSE_URL: gatehouseUrl,
    CLIENT_ID: ids.find(({ section }) => section === 'clients')?.id,
    CLIENT_SECRET: secretOf('clients'),
    COOKIE_SECRET: randomBytes(cookieSecretBytes).toString('base64url'),
    WEBHOOK_SECRET: secretOf('webhooks'),
  }
}

const filledIn = (template: string, settings: Readonly<Record<string, string | undefined>>) =>
  template.replaceAll(/^([A-Z_]+)=.*$/gm, (line, name: string) => (settings[name] === undefined ? line : `${name}=${settings[name]}`))

function textOf(
  slug: string,
  example: string,
  place: string,
  ids: readonly NamedId[],
  { extensions, then }: Manifest['gatehouse'],
  { dryRun }: CreateOptions,
): string {
  const path = relative('', place) || '.'
  if (dryRun) return `Would copy ${example} to ${path} and register it in ${slug}`
  return [
    `Copied ${example} to ${path}, and registered it in ${slug}:`,
    ...ids.map(({ section, object, id }) => `  ${section}.${object}  ${id}`),
    '',
    ...(extensions.length > 0 ? [`The service needs OAUTH_EXTENSIONS=${extensions.join(',')}`, ''] : []),
    `  cd ${path}`,
    '  npm install && npm start',
    '',
    then,
  ].join('\n')
}
