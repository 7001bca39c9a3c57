/** Writes the types of the tables, `src/platform/database/tables.ts`, from the database that the migrations create. */
import { sql } from 'kysely'
import type { System } from '../src/platform/database/database.ts'
import { type Note, notes } from './column-notes.ts'

/** A column as the catalogue of PostgreSQL describes it. */
type Column = {
  name: string
  type: string
  isRequired: boolean
  isGenerated: boolean
  default: string | null
  /** The texts that a constraint allows; null for any. */
  values: string[] | null
}

const valueTypes: Readonly<Record<string, string>> = {
  text: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  'timestamp with time zone': 'Date',
  jsonb: 'Record<string, unknown>',
}

const lineWidth = 140

/** @throws Error for a type of column that is new here, and for a note of a table or column that does not exist */
export async function typesOfTables(system: System): Promise<string> {
  const tables = await describeColumns(system)
  const names = new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((column) => `${name}.${column.name}`)]))
  const unknown = Object.keys(notes).filter((name) => !names.has(name))
  if (unknown.length > 0) throw new Error(`tools/column-notes.ts describes what does not exist: ${unknown.join(', ')}`)

  const interfaces = tables.map(({ name, columns }) => {
    const members = columns.map((column) => member(column, notes[`${name}.${column.name}`]))
    return `\n${comment(notes[name]?.about, '')}export interface ${nameOfInterface(name)} {\n${members.join('')}}\n`
  })
  const text = interfaces.join('')
  const named = (module: string, types: readonly string[]) => {
    const used = types.filter((type) => new RegExp(`\\b${type}\\b`).test(text))
    const line = `import type { ${used.join(', ')} } from '${module}'\n`
    return line.length <= lineWidth + 1 ? line : `import type {\n${used.map((type) => `  ${type},\n`).join('')}} from '${module}'\n`
  }
  return [
    '/** The tables as Kysely sees them, in camelCase. Generated from the migrations and `tools/column-notes.ts`: `npm run generate`. */\n',
    named('kysely', ['ColumnType', 'Generated']),
    named('./column-types.ts', typesOfColumns),
    `\nexport interface Tables {\n${tables.map(({ name }) => `  ${name}: ${nameOfInterface(name)}\n`).join('')}}\n`,
    text,
  ].join('')
}

/** The types of `column-types.ts` that tables use. */
const typesOfColumns = [
  'AssertionGrant',
  'AssertionResource',
  'ClaimMapping',
  'ClientAlgorithm',
  'Created',
  'DomainStatus',
  'Erasable',
  'FederatedCredential',
  'GrantedClaims',
  'GroupMapping',
  'IdentityAssertions',
  'Json',
  'Key',
  'OrganisationId',
  'OrganisationStatus',
  'ProvenFactors',
  'PublicKeySet',
  'ResourceScope',
  'ResourceScopes',
  'SetupPurpose',
  'SignInId',
  'SigningAlgorithm',
  'SsoPolicy',
  'StoredCheck',
  'StoredPhrases',
  'TlsClientAuth',
  'Variant',
]

async function describeColumns(system: System): Promise<{ name: string; columns: Column[] }[]> {
  const { rows } = await sql<{ table: string; constraints: string[]; columns: Omit<Column, 'values'>[] }>`
    select c.relname as table,
      array(
        select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype = 'c' order by conname
      ) as constraints,
      (
        select jsonb_agg(
          jsonb_build_object(
            'name', a.attname,
            'type', format_type(a.atttypid, a.atttypmod),
            'isRequired', a.attnotnull,
            'isGenerated', a.attgenerated = 's',
            'default', case when a.attidentity != '' then 'identity' else pg_get_expr(d.adbin, d.adrelid) end
          ) order by a.attnum
        )
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%' order by c.relname`.execute(
    system,
  )
  return rows.map(({ table, constraints, columns }) => ({
    name: camelCase(table),
    columns: columns.map((column) => ({ ...column, name: camelCase(column.name), values: allowedValues(constraints, column.name) })),
  }))
}

/** The texts that `check (column in (…))` allows. */
function allowedValues(constraints: readonly string[], column: string): string[] | null {
  for (const constraint of constraints) {
    const [, name, values] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)/.exec(constraint) ?? []
    if (name === column && values) return Array.from(values.matchAll(/'([^']*)'::text/g), ([, value]) => value as string)
  }
  return null
}

function member(column: Column, note: Note | undefined): string {
  const type = note?.as ?? typeOf(column, note?.type)
  const line = `  ${column.name}: ${type}`
  const fits = line.length <= lineWidth || !/^'[^']*'( \| '[^']*')+$/.test(type)
  const declared = fits
    ? line
    : `  ${column.name}:\n${type
        .split(' | ')
        .map((one) => `    | ${one}`)
        .join('\n')}`
  return `${comment(note?.about, '  ')}${declared}\n`
}

function typeOf(column: Column, refined: string | undefined): string {
  const orNull = column.isRequired ? '' : ' | null'
  const value = refined ?? column.values?.map((text) => `'${text}'`).join(' | ') ?? valueTypeOf(column)
  if (column.name === 'organisationId' && column.default !== null) return 'OrganisationId'
  if (column.isGenerated) return value === 'string' && !orNull ? 'Key' : `Key<${value}${orNull}>`
  if (column.type === 'jsonb') return `Json<${value}${orNull}>`
  if (column.name === 'createdAt') return 'Created'
  if (column.name === 'signInId') return 'SignInId'
  return column.isRequired && column.default !== null ? `Generated<${value}>` : `${value}${orNull}`
}

function valueTypeOf({ name, type }: Column): string {
  const value = valueTypes[type.replace(/\[\]$/, '')]
  if (value === undefined) throw new Error(`tools/table-types.ts does not know the type ${type} of the column ${name}`)
  return type.endsWith('[]') ? `${value}[]` : value
}

/** A comment of one line, or of as many as fit the width. */
function comment(text: string | undefined, indent: string): string {
  if (text === undefined) return ''
  const line = `${indent}/** ${text} */`
  if (line.length <= lineWidth) return `${line}\n`
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) as string
    if (`${indent} *${last} ${word}`.length > lineWidth) lines.push(` ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return `${indent}/**\n${lines.map((one) => `${indent} *${one}\n`).join('')}${indent} */\n`
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const nameOfInterface = (table: string): string => `${table.charAt(0).toUpperCase()}${table.slice(1)}Table`
