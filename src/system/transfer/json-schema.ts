import { formatName, formatVersion, secretName } from './format.ts'
import { type Column, type ExportedTable, leftOut, neverExported, secretTables } from './tables.ts'

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const whole = { type: 'integer' }
const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const record = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})
const described = (description: string, schema: object) => ({ description, ...schema })

export function exportJsonSchema(tables: readonly ExportedTable[]): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A line of an exported organisation of Gatehouse',
    description: `Each line of the file is a JSON document: the first is a header, the last the end, those between are rows of a table. Version ${formatVersion}`,
    oneOf: [{ $ref: '#/$defs/header' }, { $ref: '#/$defs/rows' }, { $ref: '#/$defs/end' }],
    $defs: {
      header: headerSchema,
      rows: { oneOf: tables.map(rowsSchema) },
      end: endSchema,
      signed: signedSchema,
      secrets: secretsSchema(tables),
    },
  }
}

const headerSchema = described(
  'The first line',
  record({
    format: { const: formatName },
    version: { const: formatVersion },
    export: described('Of this file', { type: 'string', format: 'uuid' }),
    exportedAt: time,
    release: described('That wrote it', text),
    migration: described('The last one of the database that it was read from', text),
    publicUrl: described('Of the installation that it comes from', { type: 'string', format: 'uri' }),
    organisation: record({ id: text, slug: text, name: text }),
    recipient: described('Thumbprint (RFC 7638) of the key that secrets are encrypted for; null without secrets', {
      type: ['string', 'null'],
    }),
    permissions: described("That roles, but for the owner's, and API keys name", {
      type: 'array',
      items: record({ id: text, slug: text, name: text, description: text, category: text }),
    }),
    leftOut: described('Tables that are not in it, and why', {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries({ ...leftOut, ...secretTables }).map(([name, reason]) => [name, described(reason, text)]),
      ),
      additionalProperties: false,
    }),
  }),
)

const endSchema = described(
  'The last line',
  record({
    end: record({
      lines: described('How many lines come before', whole),
      rows: described('How many rows of each table', { type: 'object', additionalProperties: whole }),
      sha256: described('Of all bytes before this line', sha256),
      jws: described('A JWS (RFC 7515) in compact form, whose payload is described by #/$defs/signed', text),
    }),
  }),
)

const signedSchema = described(
  'What the issuer has signed, by a key of its published set; `typ` is `organisation-export+jwt`',
  record({
    iss: described('The issuer that wrote the file', text),
    export: described('As in the first line', text),
    organisation: described('Its id', text),
    lines: described('As in the last line', whole),
    sha256: described('As in the last line', sha256),
  }),
)

const secretsOf = ({ name, columns }: ExportedTable) =>
  columns.filter(({ field, isSecret }) => isSecret && !(`${name}.${field}` in neverExported)).map(({ field }) => secretName(field))

function rowsSchema(table: ExportedTable) {
  const shown = table.columns.filter(({ isSecret }) => !isSecret)
  const withheld = table.columns.filter(({ isSecret }) => isSecret).map(({ field }) => secretName(field))
  const properties = {
    ...Object.fromEntries(shown.map((column) => [column.field, typeOf(column)])),
    ...(withheld.length > 0 && {
      withheld: described('Secrets that the row has, and the export has not', { type: 'array', items: { enum: withheld } }),
    }),
  }
  return described(
    `Rows of ${table.name}`,
    record(
      {
        table: { const: table.name },
        rows: { type: 'array', minItems: 1, items: record(properties, ['withheld']) },
        ...(secretsOf(table).length > 0 && {
          secrets: described('A JWE (RFC 7516) in compact form, whose plain text is described by #/$defs/secrets', text),
        }),
      },
      ['secrets'],
    ),
  )
}

const secretsSchema = (tables: readonly ExportedTable[]) =>
  described('The plain text of the secrets of a line', {
    oneOf: tables
      .filter((table) => secretsOf(table).length > 0)
      .map((table) =>
        record({
          export: described('As in the first line', text),
          line: described('The line that it stands in', whole),
          table: { const: table.name },
          rows: described('Those of each row, in their order', {
            type: 'array',
            items: record({
              key: described('Of the row that they belong to: its primary key', {
                type: 'array',
                items: { type: ['string', 'number', 'null'] },
              }),
              secrets: record(Object.fromEntries(secretsOf(table).map((name) => [name, text])), secretsOf(table)),
            }),
          }),
        }),
      ),
  })

function typeOf({ type, isNullable }: Column): object {
  if (type === 'jsonb') return {}
  const of = (name: string, more = {}) => ({ type: isNullable ? [name, 'null'] : name, ...more })
  if (type === 'text[]') return of('array', { items: text })
  if (type === 'integer[]') return of('array', { items: whole })
  if (type === 'boolean') return of('boolean')
  if (type === 'integer' || type === 'bigint') return of('integer')
  return of('string', type === 'timestamp with time zone' ? { format: 'date-time' } : {})
}
