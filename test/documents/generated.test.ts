/** Generated files are committed, so that a review shows their changes. `npm run generate` writes them. */
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Kind, registrationOf } from '../../console/src/pages/applications/snippets/framework.ts'
import { frameworksOf, snippetsOf } from '../../console/src/pages/applications/snippets/frameworks.ts'
import { events, testEvent } from '../../src/activity/events.ts'
import { refusalList } from '../../src/app/refusal-list.ts'
import { documentJsonSchema, jsonSchemaOf } from '../../src/configuration/json-schema.ts'
import { grants } from '../../src/oauth/grants/grants.ts'
import { migrationState, rehearsePending } from '../../src/platform/database/migrate.ts'
import { problems } from '../../src/platform/http/problem.ts'
import { seedSchema } from '../../src/seeds/seed.ts'
import { exportJsonSchema } from '../../src/system/transfer/json-schema.ts'
import { describeTables } from '../../src/system/transfer/tables.ts'
import { codesSource, type Description, eventsSource, operationsSource, schemaSource } from '../../tools/client-sources.ts'
import { typesOfTables } from '../../tools/table-types.ts'
import { allCommands, helpOf } from '../support/command.ts'
import { operationsOfCommands } from '../support/operations-of-commands.ts'
import { useService } from '../support/service.ts'

const service = useService()

describe('the generated documents', () => {
  it('contain the description of the API as the service sends it', async () => {
    const { body } = await service().anonymous.get('/openapi.json')
    await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json')
  })

  it('contain what commands for records need of it', async () => {
    const { body } = await service().anonymous.get('/openapi.json')
    const text = `${JSON.stringify(operationsOfCommands(body), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../src/cli/records/operations.json')
  })

  it('contain the types and operations of @gatehouse-iam/client', async () => {
    const { body } = await service().anonymous.get('/openapi.json')
    const description: Description = body
    const sources = {
      schema: await schemaSource(description),
      operations: operationsSource(description),
      codes: codesSource(refusalList.map(({ code }) => code)),
      events: eventsSource({ ...events, 'webhook.test': testEvent }, description),
    }
    for (const [name, text] of Object.entries(sources)) await expect(text).toMatchFileSnapshot(`../../packages/client/src/${name}.ts`)
  })

  it('contain the codes of all refusals', async () => {
    const document = await readFile('docs/errors.md', 'utf8')
    const heading = '\n## Codes\n'
    const before = document.slice(0, document.indexOf(heading))
    await expect(`${before}${heading}${codeTable()}`).toMatchFileSnapshot('../../docs/errors.md')
  })

  it('contain the snippets of the console', async () => {
    const document = await readFile('docs/integrating.md', 'utf8')
    const heading = '\n## Snippets\n'
    const before = document.slice(0, document.indexOf(heading))
    await expect(`${before}${heading}${snippetsByKind()}`).toMatchFileSnapshot('../../docs/integrating.md')
  })

  it('contain the help of every command', async () => {
    const document = await readFile('docs/cli.md', 'utf8')
    const heading = '\n## Commands\n'
    const before = document.slice(0, document.indexOf(heading))
    const commands = await allCommands()
    const described = commands.map(({ words, command }) => `\n### gatehouse ${words}\n\n\`\`\`text\n${helpOf(command).trimEnd()}\n\`\`\`\n`)
    await expect(`${before}${heading}${described.join('')}`).toMatchFileSnapshot('../../docs/cli.md')
  })

  it('contain the JSON Schema of configuration as code', async () => {
    const schema = documentJsonSchema(grants)
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/organisation.schema.json')
  })

  it('contain the JSON Schema of seeds', async () => {
    const schema = jsonSchemaOf(seedSchema, 'Seed for the test mode of Gatehouse')
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/seed.schema.json')
  })

  it('contain the JSON Schema of exported organisations', async () => {
    const schema = exportJsonSchema(await describeTables(service().database.system()))
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../docs/organisation-export.schema.json')
  })

  it('contain the locks that each migration takes on tables that are there before', async () => {
    const { engine } = service()
    const { applied } = await migrationState(engine)
    const rehearsed = await rehearsePending(engine, { applied: [], pending: applied, unknown: [] })
    expect(rehearsed.filter(({ failure }) => failure !== null)).toEqual([])
    const modeOf = (mode: string) =>
      mode
        .replace(/Lock$/, '')
        .replaceAll(/(?<=.)[A-Z]/g, ' $&')
        .toLowerCase()
    const locks = rehearsed.flatMap(({ name, locks }) =>
      locks.length > 0 ? [[name, Object.fromEntries(locks.map(({ table, mode }) => [table, modeOf(mode)]))]] : [],
    )
    const text = `${JSON.stringify(Object.fromEntries(locks), null, 2)}\n`
    await expect(text).toMatchFileSnapshot('../../src/platform/database/migration-locks.json')
  })

  it('contain the types of the tables that the migrations create', async () => {
    const types = await typesOfTables(service().database.system())
    await expect(types).toMatchFileSnapshot('../../src/platform/database/tables.ts')
  })

  it('contain the schema that the migrations create', async () => {
    await expect(await schemaOf()).toMatchFileSnapshot('../../docs/schema.txt')
  })
})

function codeTable(): string {
  const rows = refusalList.map(({ code, slug, text }) => `| \`${code}\` | ${problems[slug].status} | \`${slug}\` | ${text} |\n`)
  return `
The member \`code\` of a problem, or the \`reason\` of one of its \`errors\`. A code keeps its meaning; \`…\` stands for a value.

| code | status | slug | detail |
|---|---|---|---|
${rows.join('')}`
}

const kinds: Record<Kind, string> = {
  web: 'A web application with a server',
  browser: 'A single-page application',
  native: 'A mobile or desktop application',
  service: 'A service that acts for itself',
  highAssurance: 'A web application that needs high assurance (FAPI 2.0)',
}

/** The snippets with the values of an example, below the kind of application that they are for. */
function snippetsByKind(): string {
  return (Object.keys(registrationOf) as Kind[])
    .map((kind) => {
      const { clientType, grantTypes, ...others } = registrationOf[kind]
      const profile = 'profile' in others ? `\`profile\` is \`${others.profile}\`, and \`jwks\` has the public key. ` : ''
      const registration = `${profile}\`clientType\` is \`${clientType}\`, \`grantTypes\` are ${grantTypes.map((grant) => `\`${grant}\``).join(' and ')}.`
      return `\n### ${kinds[kind]}\n\n${registration}\n${frameworksOf(kind).map(framework).join('')}`
    })
    .join('')
}

function framework(one: ReturnType<typeof frameworksOf>[number]): string {
  const { name, redirectUri = '', idTokenSignedResponseAlg, environment } = one
  const values = { issuer: 'https://id.example.com', clientId: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x', redirectUri }
  const block = (title: string, language: string, code: string) => `\n\`${title}\`:\n\n\`\`\`${language}\n${code}\`\`\`\n`
  const facts = [
    ...(redirectUri ? [`Redirect URI: \`${redirectUri}\`.`] : []),
    ...(idTokenSignedResponseAlg ? [`\`idTokenSignedResponseAlg\` is \`${idTokenSignedResponseAlg}\`.`] : []),
  ]
  return [
    `\n#### ${name}\n`,
    ...(facts.length > 0 ? [`\n${facts.join(' ')}\n`] : []),
    ...snippetsOf(one, values).map(({ file, language, code }) => block(file, language, code)),
    environment ? block('.env', 'dotenv', environment({ clientSecret: '…', sessionSecret: '…' })) : '',
  ].join('')
}

/** Every table with its columns, constraints, indexes, policies and triggers, and every function, in a stable order. */
async function schemaOf(): Promise<string> {
  const { rows: tables } = await sql<{ name: string; lines: string[] }>`
    select c.relname as name, array(
      select line from (
        select 1 as part, a.attnum as place,
          a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end ||
          coalesce(case when a.attgenerated = 's' then ' generated as ' else ' default ' end || pg_get_expr(d.adbin, d.adrelid), '') as line
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        union all
        select 2, row_number() over (order by conname), 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where conrelid = c.oid and contype != 'n'
        union all
        select 3, row_number() over (order by indexrelid::regclass::text), pg_get_indexdef(indexrelid)
        from pg_index i where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid)
        union all
        select 4, row_number() over (order by polname),
          'policy ' || polname || ' to ' || array_to_string(array(select rolname from pg_roles where oid = any(polroles)), ', ') ||
          ' using ' || coalesce(pg_get_expr(polqual, polrelid), '') || ' with check ' || coalesce(pg_get_expr(polwithcheck, polrelid), '')
        from pg_policy where polrelid = c.oid
        union all
        select 5, row_number() over (order by tgname), pg_get_triggerdef(oid) from pg_trigger where tgrelid = c.oid and not tgisinternal
      ) described order by part, place
    ) as lines
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`.execute(
    service().database.system(),
  )
  const { rows: functions } = await sql<{ definition: string }>`
    select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by proname`.execute(
    service().database.system(),
  )
  const described = tables.map(({ name, lines }) => `${name}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  return [...described, ...functions.map(({ definition }) => definition)].join('\n')
}
