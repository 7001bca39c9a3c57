import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
interface Operation {
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

const document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } } = JSON.parse(
  readFileSync('docs/openapi.json', 'utf8'),
)

/** The folders of pages that change records whose path is another word. */
const folders: Record<string, readonly string[]> = {
  clients: ['applications', 'resources'],
  'resource-servers': ['resources'],
  'resource-authorization-servers': ['other-apis'],
  'sign-in-checks': ['sign-in-check'],
  'authorization-checks': ['explain'],
  'permission-checks': ['explain'],
  'audit-logs': ['audit'],
}

const providersDiffer = 'most providers name these claims as expected; for another one, the page of the connection says where they are'

/** What the console does not send, by its body, and why. */
const left: Record<string, string> = {
  'NewUser.sendWelcomeMail': 'the form mails a link or sets a password: a user who gets neither is made by a program',
  'NewResourceServer.exchangeClientIds': 'needs the extension token_exchange, which this release does not have',
  'ResourceServerChanges.exchangeClientIds': 'needs the extension token_exchange, which this release does not have',
  'AskedConfiguration.prune': 'documents are files, which the command sends',
  'ConfigurationToApply.prune': 'documents are files, which the command sends',
  'ConfigurationToApply.basis': 'documents are files, which the command sends',
  'NewSetupLink.settings.mapping.firstName': providersDiffer,
  'NewSetupLink.settings.mapping.lastName': providersDiffer,
  'NewSetupLink.settings.mapping.phone': providersDiffer,
  'NewConnection.configuration.metadataValidUntil': 'comes with the metadata, which the service reads',
  'ConnectionChanges.configuration.metadataValidUntil': 'comes with the metadata, which the service reads',
}

/** A name in a comment sends nothing. */
const withoutComments = (source: string): string => source.replaceAll(/(?<![^\s{(])\/\*[\s\S]*?\*\/|(?<!\S)\/\/.*/g, '')

const wordsIn = (folder: string): string[] =>
  globSync(`console/src/${folder}/**/*.{ts,tsx}`)
    .filter((file) => !file.endsWith('schema.d.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => withoutComments(readFileSync(file, 'utf8')).match(/\w+/g) ?? [])
const common = ['api', 'parts'].flatMap(wordsIn)

/** What is pasted as one text, with all its fields. */
const whole = ['jwks']

/** The fields of a body, also of the records and lists in it: each by the name of the schema that it is in. */
function* fieldsOf(schema: Schema, name: string): Generator<{ owner: string; field: string }> {
  const referred = schema.$ref?.split('/').at(-1)
  if (referred !== undefined) return yield* fieldsOf(document.components.schemas[referred] ?? {}, referred)
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    yield { owner: name, field }
    if (!whole.includes(field)) yield* fieldsOf(inner, `${name}.${field}`)
  }
  for (const part of [...(schema.items ? [schema.items] : []), ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    yield* fieldsOf(part, name)
  }
}

describe('a field that an administrator can send', () => {
  it('is on a page of the console, or listed with the reason', () => {
    const missing = new Set<string>()
    for (const [path, operations] of Object.entries(document.paths)) {
      if (!path.startsWith('/v1/admin/')) continue
      const kind = path.split('/')[3] as string
      const words = new Set([...common, ...(folders[kind] ?? [kind]).flatMap((folder) => wordsIn(`pages/${folder}`))])
      for (const { requestBody } of Object.values(operations)) {
        for (const { owner, field } of fieldsOf(requestBody?.content?.['application/json']?.schema ?? {}, path)) {
          if (!words.has(field)) missing.add(`${owner}.${field}`)
        }
      }
    }
    expect([...missing].sort()).toEqual(Object.keys(left).sort())
  })
})
