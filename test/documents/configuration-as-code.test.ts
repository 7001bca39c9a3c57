import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { runCommand } from '../support/command.ts'
import { useService } from '../support/service.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const page = await readFile('docs/configuration-as-code.md', 'utf8')
const blocks = (language: string) => [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) => code)
const [document = ''] = blocks('yaml')

const service = useService()
let home: ProcessHome
beforeAll(async () => {
  home = await processHome()
  const service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_OWNER_PASSWORD: 'correct horse battery' })).ready()
  await service.end()
})
afterAll(() => home.remove())

async function run(line: string): Promise<number | null> {
  const [command = '', output] = line.replaceAll(/\b(?:organisation\.yaml|plan\.json)\b/g, (name) => join(home.folder, name)).split(' > ')
  const { status, stdout, stderr } = await runCommand(home.environment, command.slice('gatehouse '.length))
  expect(stderr).toBe('')
  if (output) await writeFile(output, stdout)
  return status
}

describe('the page about configuration as code', () => {
  it('leads from an export to a document that is applied', async () => {
    const [exported = '', ...others] = blocks('sh')
    for (const line of exported.trim().split('\n')) expect([line, await run(line)]).toEqual([line, 0])
    await writeFile(join(home.folder, 'organisation.yaml'), document)
    expect(await run('gatehouse diff -f organisation.yaml')).toBe(1)
    for (const line of others.join('').trim().split('\n')) expect([line, await run(line)]).toEqual([line, 0])
  })
})

describe('the key of the page', () => {
  it('may apply the document of the page', async () => {
    const [, keyToCreate = ''] = /Create an API key[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? []
    const { permissions } = JSON.parse(keyToCreate)
    const { owner, slug } = await service().given.organisation()
    const { body } = await owner.post('/v1/admin/api-keys', { name: 'Deployment', permissions, expiresAt: null })
    const job = service().anonymous.with({ authorization: `Bearer ${body.key}` })
    const asked = { document: { ...parse(document), organisation: slug } }

    expect(await job.post('/v1/admin/configuration/plan', asked)).toMatchObject({ status: 200 })
    expect(await job.post('/v1/admin/configuration/apply', asked)).toMatchObject({ status: 200 })
  })
})

describe('the JSON Schema of the document', async () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile(JSON.parse(await readFile('docs/organisation.schema.json', 'utf8')))

  it('accepts the example, and an export', async () => {
    expect([validate(parse(document)), validate.errors]).toEqual([true, null])
    const { stdout } = await runCommand(home.environment, 'export --config --organisation acme --json')
    expect([validate(JSON.parse(stdout)), validate.errors]).toEqual([true, null])
  })

  it.each([
    { users: {} },
    { roles: { support: {} } },
    { roles: { 'Not a slug': { name: 'X' } } },
    { clients: { portal: { name: 'Portal', clientType: 'confidential', id: 'cli_01kahm3z9n4v7f2t8q6w5r1y0x' } } },
    { settings: { sessionLifetime: 1 } },
  ])('refuses %j', (wrong) => {
    expect(validate(wrong)).toBe(false)
  })
})
