import { readdirSync, readFileSync } from 'node:fs'
import { fill, namesOf } from './names.ts'
import type { Insertion, Skeleton } from './skeleton.ts'

/** A kind of record of an organisation: a name, the five ordinary routes, its permissions and its entries in the audit log. */
export function kind(name: string): Skeleton {
  const names = { ...namesOf(name), prefix: freePrefix(name) }
  const filled = (text: string) => fill(text, names)
  const template = (file: string) => filled(readFileSync(new URL(`kind/${file}.txt`, import.meta.url), 'utf8'))
  const { kebab, kebabs, camels } = names
  return {
    files: {
      [`src/platform/database/migrations/${nextMigration()}-${kebabs}.ts`]: template('migration.ts'),
      [`src/${kebabs}/schemas.ts`]: template('schemas.ts'),
      [`src/${kebabs}/refusals.ts`]: template('refusals.ts'),
      [`src/${kebabs}/queries.ts`]: template('queries.ts'),
      [`src/${kebabs}/present-${kebab}.ts`]: template('present.ts'),
      [`src/${kebabs}/change-${kebab}.ts`]: template('change.ts'),
      [`src/${kebabs}/list-${kebabs}.ts`]: template('list.ts'),
      [`src/${kebabs}/routes.ts`]: template('routes.ts'),
      [`test/admin/${kebabs}.test.ts`]: template('test.ts'),
    },
    insertions: insertions.map(({ lines, ...at }) => ({ ...at, lines: filled(lines) })),
    left: [
      'npm run generate, which writes the types of the table before anything else compiles',
      `the fields: the migration, tools/column-notes.ts, src/${kebabs}/{schemas,queries,present-${kebab}}.ts`,
      'how many an organisation may have: a limit in the operation that creates one, and its refusal',
      `the sentences: docs/architecture.md, docs/permissions.md, src/access/describe.ts, the permissions of the migration, and console/src/texts/{en,de}/{access,actions,problems}.ts`,
      `the fields that an import of an organisation checks: src/system/transfer/row-rules.ts`,
      'events, if programs have to learn of it: src/activity/{events,example-objects,catalogue}.ts, docs/events.md, console/src/texts/de/event-meanings.ts, test/webhooks/catalogue.test.ts',
      'what belongs to a user: src/system/erase-user.ts, src/connections/federation/take-away-access.ts',
      'what names it in a body: src/isolation/records.ts, test/http/references.test.ts, src/cli/records/kind.ts',
      'the search: src/search/{schemas,find-records}.ts',
      `configuration as code: src/configuration/kinds/${camels}.ts and the lists of docs/architecture.md`,
      'its commands: src/cli/records/{kind,kinds,commands}.ts',
      'its pages: console/src/pages and the lists of docs/architecture.md, test/console/{every-page,every-overlay,offered}.ts',
      'personal data in it: docs/privacy.md',
      `tests: test/admin/${kebabs}.test.ts, then npm run test:changed`,
      'CHANGELOG.md',
    ],
  }
}

const insertions: readonly Insertion[] = [
  {
    file: 'src/activity/catalogue.ts',
    before: '} as const satisfies Record<string, Consequences>',
    lines: `  '{{snake}}.created': { object: '{{snake}}', events: [], lifecycle: 'begins' },
  '{{snake}}.updated': { object: '{{snake}}', events: [] },
  '{{snake}}.deleted': { object: '{{snake}}', events: [], lifecycle: 'ends' },`,
  },
  {
    file: 'src/access/permission-slugs.ts',
    before: "'audit:read'",
    lines: "  '{{snakes}}:read',\n  '{{snakes}}:create',\n  '{{snakes}}:update',\n  '{{snakes}}:delete',",
  },
  {
    file: 'src/access/describe.ts',
    before: "'Administration: users'",
    lines: "  'Administration: {{manyWords}}': '{{ManyWords}} of the organisation.',",
  },
  { file: 'src/platform/ids.ts', before: "| 'code'", lines: "  | '{{prefix}}'" },
  {
    file: 'src/app/features.ts',
    before: 'import type { Examination }',
    lines: "import { {{camel}}Routes } from '../{{kebabs}}/routes.ts'",
  },
  { file: 'src/app/features.ts', after: '  teamRoutes,', lines: '  {{camel}}Routes,' },
  { file: 'src/app/refusal-list.ts', before: 'import * as access', lines: "import * as {{camels}} from '../{{kebabs}}/refusals.ts'" },
  { file: 'src/app/refusal-list.ts', after: '  teams,', lines: '  {{camels}},' },
  { file: 'src/audit/not-undone.ts', after: "'team.created'", lines: "  '{{snake}}.created': undoWouldDelete," },
  { file: 'src/audit/not-undone.ts', after: "'team.deleted'", lines: "  '{{snake}}.deleted': undoDeletedForGood," },
  {
    file: 'src/undo/inverses.ts',
    before: "from '../teams/change-team.ts'",
    lines: `import { change{{Pascal}} } from '../{{kebabs}}/change-{{kebab}}.ts'
import { present{{Pascal}} } from '../{{kebabs}}/present-{{kebab}}.ts'
import { lock{{Pascal}} } from '../{{kebabs}}/queries.ts'
import { {{Pascal}}Changes } from '../{{kebabs}}/schemas.ts'`,
  },
  {
    file: 'src/undo/inverses.ts',
    before: 'const teamFields',
    lines: `const {{camel}}Fields = formerFields({
  permission: '{{snakes}}:update',
  schema: () => {{Pascal}}Changes,
  lock: async ({ tenant }, id) => presented(await lock{{Pascal}}(tenant, id), present{{Pascal}}),
  change: ({ dependencies: { database }, caller }, id, sent) => change{{Pascal}}(database, caller, id, sent, undefined),
})
`,
  },
  { file: 'src/undo/inverses.ts', before: "  'team.updated': teamFields", lines: "  '{{snake}}.updated': {{camel}}Fields," },
  {
    file: 'src/isolation/records.ts',
    after: "  team: { table: 'teams'",
    lines: "  '{{words}}': { table: '{{snakes}}', column: 'id', prefix: '{{prefix}}' },",
  },
  { file: 'src/isolation/records.ts', after: "  teams: 'team',", lines: "  '{{kebabs}}': '{{words}}'," },
  { file: 'src/system/transfer/tables.ts', after: "  'invitations',", lines: "  '{{snakes}}'," },
  {
    file: 'src/system/transfer/row-rules.ts',
    before: 'import { isPicture }',
    lines: "import { New{{Pascal}} } from '../../{{kebabs}}/schemas.ts'",
  },
  { file: 'src/system/transfer/row-rules.ts', after: '    teams: {', lines: '    {{snakes}}: { name: New{{Pascal}}.shape.name },' },
  { file: 'tools/check-tables.ts', before: "audit_logs: 'activity'", lines: "  {{snakes}}: '{{kebabs}}'," },
  { file: 'tools/floors.ts', inPlaceOf: "'teams', ", lines: "'teams', '{{kebabs}}', " },
  { file: 'tools/test-changed.ts', after: "  directories: ['src/directories/'", lines: "  '{{kebabs}}': ['test/admin/{{kebabs}}']," },
  { file: 'docs/architecture.md', after: '| | `teams` |', lines: '| | `{{kebabs}}` | the record of {{aWords}} |' },
  {
    file: 'docs/permissions.md',
    before: '| `clients:read`',
    lines:
      '| `{{snakes}}:read`, `{{snakes}}:create`, `{{snakes}}:update`, `{{snakes}}:delete` | list, create, change, delete {{manyWords}} |',
  },
  {
    file: 'console/src/texts/en/access.ts',
    before: "'clients:read'",
    lines: `    '{{snakes}}:read': 'List {{manyWords}}',
    '{{snakes}}:create': 'Create {{manyWords}}',
    '{{snakes}}:update': 'Change {{manyWords}}',
    '{{snakes}}:delete': 'Delete {{manyWords}}',`,
  },
  { file: 'console/src/texts/en/access.ts', before: "    clients: '", lines: "    {{snakes}}: '{{ManyWords}}'," },
  {
    file: 'console/src/texts/de/access.ts',
    before: "'clients:read'",
    lines: `    '{{snakes}}:read': '{{ManyWords}} sehen',
    '{{snakes}}:create': '{{ManyWords}} anlegen',
    '{{snakes}}:update': '{{ManyWords}} ändern',
    '{{snakes}}:delete': '{{ManyWords}} löschen',`,
  },
  { file: 'console/src/texts/de/access.ts', before: "    clients: '", lines: "    {{snakes}}: '{{ManyWords}}'," },
  {
    file: 'console/src/texts/en/actions.ts',
    before: "'team.created'",
    lines: `    '{{snake}}.created': '{actor} created the {{words}} {target}',
    '{{snake}}.updated': '{actor} changed the {{words}} {target}',
    '{{snake}}.deleted': '{actor} deleted the {{words}} {target}',`,
  },
  {
    file: 'console/src/texts/de/actions.ts',
    before: "'team.created'",
    lines: `    '{{snake}}.created': '{actor} hat {target} angelegt',
    '{{snake}}.updated': '{actor} hat {target} geändert',
    '{{snake}}.deleted': '{actor} hat {target} gelöscht',`,
  },
  {
    file: 'console/src/texts/en/problems.ts',
    before: "'team-not-found'",
    lines:
      "    '{{kebab}}-not-found': 'There is no such {{words}} any more',\n    '{{kebab}}-name-taken': 'Another {{words}} has this name',",
  },
  {
    file: 'console/src/texts/de/problems.ts',
    before: "'team-not-found'",
    lines: "    '{{kebab}}-not-found': 'Das gibt es nicht mehr',\n    '{{kebab}}-name-taken': 'Der Name ist schon vergeben',",
  },
  {
    file: 'test/http/contract.ts',
    before: "    'GET /v1/admin/teams/{id}/members'",
    lines: `    'GET /v1/admin/{{kebabs}}': 'lists {{manyWords}}',
    'GET /v1/admin/{{kebabs}}/{id}': 'one {{words}}',
    'POST /v1/admin/{{kebabs}}': 'creates {{aWords}}',
    'PATCH /v1/admin/{{kebabs}}/{id}': 'changes {{aWords}}',
    'DELETE /v1/admin/{{kebabs}}/{id}': 'deletes {{aWords}}',`,
  },
  {
    file: 'test/http/mutations.ts',
    before: "  'POST /v1/admin/teams': row(",
    lines: `  'POST /v1/admin/{{kebabs}}': row('{{snake}}.created', async () => ({ path: '/v1/admin/{{kebabs}}', body: { name: unique() } })),
  'PATCH /v1/admin/{{kebabs}}/{id}': row('{{snake}}.updated', async ({ owner }) => {
    const { body } = await owner.post('/v1/admin/{{kebabs}}', { name: unique() })
    return { path: \`/v1/admin/{{kebabs}}/\${body.id}\`, body: { name: unique() } }
  }),
  'DELETE /v1/admin/{{kebabs}}/{id}': row('{{snake}}.deleted', async ({ owner }) => {
    const { body } = await owner.post('/v1/admin/{{kebabs}}', { name: unique() })
    return { path: \`/v1/admin/{{kebabs}}/\${body.id}\` }
  }),`,
  },
  {
    file: 'test/http/refusals.ts',
    before: "  'POST /v1/admin/teams 409'",
    lines: `  'POST /v1/admin/{{kebabs}} 409': twice('/v1/admin/{{kebabs}}', { name: 'Taken' }),
  'PATCH /v1/admin/{{kebabs}}/{id} 409': async ({ owner }) => {
    await owner.post('/v1/admin/{{kebabs}}', { name: 'Taken too' })
    const { body } = await owner.post('/v1/admin/{{kebabs}}', { name: unique() })
    return owner.patch(\`/v1/admin/{{kebabs}}/\${body.id}\`, { name: 'Taken too' })
  },`,
  },
  { file: 'test/http/conditional.ts', inPlaceOf: "'teams', ", lines: "'teams', '{{kebabs}}', " },
  {
    file: 'test/http/cursors.test.ts',
    before: 'await twice(() => given.role(owner))',
    lines: "  await twice(() => owner.post('/v1/admin/{{kebabs}}', { name: unique() }))",
  },
  { file: 'test/http/every-route.test.ts', after: "  directories: 'dir',", lines: "  '{{kebabs}}': '{{prefix}}'," },
  { file: 'test/documents/openapi.test.ts', after: "  '/directories': 'dir_',", lines: "  '/{{kebabs}}': '{{prefix}}_'," },
]

/** Three letters that begin no other kind of identifier, or as many more as that takes. */
function freePrefix(name: string): string {
  const taken = new Set(readFileSync('src/platform/ids.ts', 'utf8').match(/(?<=\| ')\w+/g))
  const letters = name.replaceAll('-', '')
  for (let length = 3; length <= letters.length; length++) {
    const prefix = letters.slice(0, length)
    if (!taken.has(prefix)) return prefix
  }
  throw new Error(`Each beginning of ${name} is the prefix of another kind already`)
}

function nextMigration(): string {
  const numbers = readdirSync('src/platform/database/migrations').flatMap((file) => /^\d{4}/.exec(file) ?? [])
  return String(Math.max(...numbers.map(Number)) + 1).padStart(4, '0')
}
