import { existsSync, readFileSync } from 'node:fs'
import { fill, namesOf } from './names.ts'
import type { Insertion, Skeleton } from './skeleton.ts'

/** A route that does something to one record of a feature, such as `teams/archive`. */
export function endpoint(path: string): Skeleton {
  const [feature = '', verb = ''] = path.split('/')
  const routes = `src/${feature}/routes.ts`
  const refusals = `src/${feature}/refusals.ts`
  const queries = `src/${feature}/queries.ts`
  if (verb === '') throw new Error('Name a feature and a verb, such as teams/archive')
  for (const file of [routes, refusals, queries])
    if (!existsSync(file)) throw new Error(`${file} does not exist: see "An endpoint" in CONTRIBUTING.md`)

  const texts = { routes: readFileSync(routes, 'utf8'), refusals: readFileSync(refusals, 'utf8'), queries: readFileSync(queries, 'utf8') }
  const notFound = only(texts.refusals, /export const (\w+NotFound)\b/, `${refusals} has no refusal of what is not found`)
  const table = only(texts.queries, /selectFrom\('(\w+)/, `${queries} reads no table`)
  const permission = only(texts.routes, /admin\('(\w+:update)'\)/, `${routes} has no route with a permission to update`)
  const address = only(texts.routes, /(?:defineRoutes\(|prefix: )'([^']+)'/, `${routes} defines no routes`)
  const record = notFound.replace('NotFound', '')
  const of = namesOf(verb)
  const operation = `${of.camel}${record.charAt(0).toUpperCase()}${record.slice(1)}`
  const file = `${of.kebab}-${record.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const names = { ...of, notFound, table, permission, operation, file, record }
  const filled = (text: string) => fill(text, names)

  const imported: Insertion[] = [
    ...missing(texts.routes, 'IdParameter', '../platform/http/fields.ts'),
    ...missing(texts.routes, 'Message', '../platform/http/fields.ts'),
    { file: routes, before: 'import ', lines: filled("import { {{operation}} } from './{{file}}.ts'") },
  ].map((insertion) => ({ ...insertion, file: routes }))
  return {
    files: { [`src/${feature}/${file}.ts`]: filled(source) },
    insertions: [
      ...imported,
      { file: routes, before: '  app.', lines: filled(route) },
      {
        file: 'test/http/contract.ts',
        before: "    'GET /v1/admin/teams/{id}/members'",
        lines: `    'POST ${address}/{id}/${of.kebab}': '${of.words}s ${record}',`,
      },
    ],
    left: [
      `src/${feature}/${file}.ts: what it decides and changes, and the \`record\` of it (src/activity/catalogue.ts has the actions)`,
      `src/${feature}/routes.ts: its body, its response, its description, and its own refusals in config.refuses`,
      'test/http/mutations.ts: how it succeeds, and its entry in the audit log; refusals.ts: each status in config.refuses',
      'a test: its success, each refusal, and what must not have happened',
      'src/cli/records/kinds/: its command, if administrators use it on the command line',
      'npm run generate, then the guide in docs/ and CHANGELOG.md',
    ],
  }
}

function only(text: string, pattern: RegExp, otherwise: string): string {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(otherwise)
  return found
}

/** An import of what a file does not import yet; the formatter joins it with the others of that module. */
const missing = (text: string, name: string, from: string) =>
  new RegExp(`import[^\n]*\\b${name}\\b`).test(text) ? [] : [{ file: '', before: 'import ', lines: `import { ${name} } from '${from}'` }]

const source = `import type { Caller } from '../access/caller.ts'
import { transactionOf } from '../access/hold-caller.ts'
import type { Database } from '../platform/database/database.ts'
import { {{notFound}} } from './refusals.ts'

/** @throws Problem \`not-found\` */
export async function {{operation}}(database: Database, caller: Caller, id: string): Promise<void> {
  await transactionOf(database, caller, '{{permission}}', async (tenant) => {
    const {{record}} = await tenant.selectFrom('{{table}}').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!{{record}}) throw {{notFound}}()
  })
}
`

const route = `  app.post(
    '/:id/{{kebab}}',
    {
      config: { access: admin('{{permission}}') },
      schema: { operationId: '{{operation}}', summary: '{{Words}} a record', params: IdParameter, response: { 200: Message } },
    },
    async ({ caller, params }) => {
      await {{operation}}(database, caller, params.id)
      return { message: 'Done' }
    },
  )
`
