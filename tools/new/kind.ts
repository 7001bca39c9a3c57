import { readdirSync, readFileSync } from 'node:fs'
import { kinds } from '../../shared/kinds.ts'
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
      [`test/http/kinds/${kebabs}.ts`]: template('rows.ts'),
    },
    insertions: insertions.map(({ lines, ...at }) => ({ ...at, lines: filled(lines) })),
    left: [
      'npm run generate, which writes the types of the table before anything else compiles',
      `the fields: the migration, tools/column-notes.ts, src/${kebabs}/{schemas,queries,present-${kebab}}.ts`,
      'how many an organisation may have: a limit in the operation that creates one, and its refusal',
      `the sentences: docs/architecture.md, docs/permissions.md, its declaration in shared/kinds.ts, the permissions of the migration, and console/src/texts/{en,de}/{access,actions,audit,read-refusals,change-refusals}.ts`,
      `the fields that an import of an organisation checks: src/system/transfer/row-rules.ts`,
      'the search: `search` in shared/kinds.ts',
      'further tables of it: `parts` in shared/kinds.ts',
      "events, if programs have to learn of it: `history: 'reported'` in shared/kinds.ts, src/activity/{events,example-objects}.ts, docs/events.md, console/src/texts/de/event-meanings.ts, test/webhooks/catalogue.test.ts",
      'what belongs to a user: src/system/erase-user.ts, src/connections/federation/take-away-access.ts',
      'what names it in a body: test/http/references.test.ts, src/cli/records/kind.ts',
      `configuration as code: src/configuration/kinds/${camels}.ts and the lists of docs/architecture.md`,
      'its commands: src/cli/records/{kind,kinds}.ts',
      'its pages: console/src/parts/places.ts, console/src/router.tsx, console/src/pages, test/console/{every-page,every-overlay,offered}.ts',
      'personal data in it: docs/privacy.md',
      `tests: test/admin/${kebabs}.test.ts, then npm run test:changed`,
      'CHANGELOG.md',
    ],
  }
}

const insertions: readonly Insertion[] = [
  {
    file: 'shared/kinds.ts',
    before: '} as const satisfies Readonly<Record<string, Kind>>',
    lines: `  {{snake}}: {
    words: '{{words}}',
    idPrefix: '{{prefix}}',
    table: '{{snakes}}',
    folder: '{{kebabs}}',
    path: '{{kebabs}}',
    about: '{{ManyWords}} of the organisation.',
    permissions: ['read', 'create', 'update', 'delete'],
    history: 'recorded',
  },`,
  },
  {
    file: 'src/app/features.ts',
    before: 'import type { Examination }',
    lines: "import { {{camel}}Routes } from '../{{kebabs}}/routes.ts'",
  },
  { file: 'src/app/features.ts', after: '  teamRoutes,', lines: '  {{camel}}Routes,' },
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
    file: 'src/system/transfer/row-rules.ts',
    before: 'import { isPicture }',
    lines: "import { New{{Pascal}} } from '../../{{kebabs}}/schemas.ts'",
  },
  { file: 'src/system/transfer/row-rules.ts', after: '    teams: NewTeam.shape,', lines: '    {{snakes}}: New{{Pascal}}.shape,' },
  { file: 'tools/floors.ts', inPlaceOf: "'teams', ", lines: "'teams', '{{kebabs}}', " },
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
  { file: 'console/src/texts/en/audit.ts', before: "    team: '", lines: "    {{snake}}: '{{ManyWords}}'," },
  { file: 'console/src/texts/de/audit.ts', before: "    team: '", lines: "    {{snake}}: '{{ManyWords}}'," },
  {
    file: 'console/src/texts/en/read-refusals.ts',
    before: "'team-not-found'",
    lines: "    '{{kebab}}-not-found': 'There is no such {{words}} any more',",
  },
  {
    file: 'console/src/texts/de/read-refusals.ts',
    before: "'team-not-found'",
    lines: "    '{{kebab}}-not-found': 'Das gibt es nicht mehr',",
  },
  {
    file: 'console/src/texts/en/change-refusals.ts',
    before: "'team-slug-taken'",
    lines: "    '{{kebab}}-name-taken': 'Another {{words}} has this name',",
  },
  {
    file: 'console/src/texts/de/change-refusals.ts',
    before: "'team-slug-taken'",
    lines: "    '{{kebab}}-name-taken': 'Der Name ist schon vergeben',",
  },
]

/** Three letters that begin no other kind of identifier, or as many more as that takes. */
function freePrefix(name: string): string {
  const others = readFileSync('src/platform/ids.ts', 'utf8').match(/(?<=\| ')\w+/g) ?? []
  const taken = new Set<string>([...Object.values(kinds).map(({ idPrefix }) => idPrefix), ...others])
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
