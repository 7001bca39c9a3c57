import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { GrantRules } from '../clients/rules.ts'
import type { Database } from '../platform/database/database.ts'
import { parseInput } from '../platform/http/validation.ts'
import { readSettings } from './read-current.ts'
import { type ConfigurationDocument, documentSchema } from './schemas.ts'

/**
 * Parses the document. A setting that equals the stored one is not validated, since it does not change: an earlier release may have
 * accepted a value that this release does not, and a document that was exported then can still be planned.
 *
 * @throws Problem `bad-request` naming each mistake by its place below `document`
 */
export async function parseDocument(
  { database, grants }: { database: Pick<Database, 'tenant'>; grants: readonly GrantRules[] },
  organisationId: string,
  document: unknown,
): Promise<ConfigurationDocument> {
  const schema = documentSchema(grants, 'values')
  const refused = refusedSettings(schema, document)
  const present = refused.size > 0 ? await readSettings(database.tenant(organisationId)) : {}
  const isStored = (name: string, value: unknown) => refused.has(name) && isDeepStrictEqual(value, present[name])
  const { rest, stored } = withoutStored(document, isStored)
  return withSettings(parseInput(z.object({ document: schema }), { document: rest }).document, stored)
}

/**
 * Parses the document while the organisation is not known yet: settings that the schema refuses are passed through, for
 * {@link parseDocument} to compare with the stored ones.
 */
export function parseBeforeStored(grants: readonly GrantRules[], document: unknown): z.ZodSafeParseResult<ConfigurationDocument> {
  const schema = documentSchema(grants, 'references')
  const refused = refusedSettings(schema, document)
  const { rest, stored } = withoutStored(document, (name) => refused.has(name))
  const parsed = schema.safeParse(rest)
  return parsed.success ? { ...parsed, data: withSettings(parsed.data, stored) } : schema.safeParse(document)
}

function refusedSettings(schema: z.ZodType, document: unknown): Set<string> {
  const issues = schema.safeParse(document).error?.issues ?? []
  return new Set(issues.filter(({ path }) => path[0] === 'settings' && path.length > 1).map(({ path }) => String(path[1])))
}

function withoutStored(document: unknown, isStored: (name: string, value: unknown) => boolean) {
  const settings = (document as { settings?: unknown } | null)?.settings
  if (typeof settings !== 'object' || settings === null) return { rest: document, stored: {} }
  const { rest = [], stored = [] } = Object.groupBy(Object.entries(settings), ([name, value]) =>
    isStored(name, value) ? 'stored' : 'rest',
  )
  return { rest: { ...(document as object), settings: Object.fromEntries(rest) }, stored: Object.fromEntries(stored) }
}

const withSettings = (document: ConfigurationDocument, stored: object): ConfigurationDocument =>
  Object.keys(stored).length > 0 ? { ...document, settings: { ...document.settings, ...stored } } : document
