import { execFile } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieOf } from '../support/given.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

const run = promisify(execFile)

/** The shell blocks of a text, as they are printed. */
const blocksIn = (text: string) => [...text.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] as string)

/** The shell blocks of a section of the README. */
async function blocksOf(section: string): Promise<string[]> {
  const readme = await readFile('README.md', 'utf8')
  const start = readme.indexOf(`\n## ${section}\n`)
  const end = readme.indexOf('\n## ', start + 1)
  return blocksIn(readme.slice(start, end === -1 ? undefined : end))
}

describe('the commands of the documents', () => {
  it('have no trailing comments, which zsh would pass as arguments', async () => {
    for (const file of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/{,kit/}*.md')]) {
      const text = await readFile(file, 'utf8')
      const commands = [...text.matchAll(/```(?:sh|bash|console)\n(.*?)```/gs)].flatMap(([, block = '']) => block.split('\n'))
      expect([file, commands.filter((line) => /\S\s+#\s/.test(line))]).toEqual([file, []])
    }
  })
})

describe('the name', () => {
  it('of a package that is not ours is nowhere given as a command to run or to install', () => {
    const files = globSync([
      '*.{md,json,yaml}',
      'Dockerfile',
      'deploy/**/*',
      'docs/**/*.{md,mjs,json,yaml}',
      '{src,console,tools,.ci}/**/*.{ts,tsx,js,html,css}',
      '.ci/*',
      '{packages,examples}/**/*.{md,ts,js,json}',
    ]).filter((file) => !file.includes('node_modules') && statSync(file).isFile())
    // In code the words of a command are strings of a list.
    const stranger =
      /\b(?:npx|npm["', ]+(?:exec|i|install|add)|pnpm["', ]+(?:dlx|add)|yarn["', ]+(?:dlx|add)|bunx)(?:["', ]+-{1,2}[\w-]*)*(?:["', ]+--prefix["', ]+\S+)?["', ]+gatehouse(?![\w-])/
    const found = files.filter((file) => stranger.test(readFileSync(file, 'utf8')))
    expect(found).toEqual([])
    for (const text of [
      'npx gatehouse',
      'npx -y gatehouse verify',
      'npm install -g gatehouse',
      'npm exec -- gatehouse',
      '["npx", "-y", "gatehouse", "serve"]',
    ])
      expect(text).toMatch(stranger)
    for (const text of ['npx ./gatehouse-iam-0.1.0.tgz', 'npm install gatehouse-iam', 'npm run gatehouse', '"npx", "gatehouse-iam"'])
      expect(text).not.toMatch(stranger)
  })
})

describe('the tour of the API', () => {
  let home: ProcessHome
  let service: ServiceProcess
  let folder: string
  beforeAll(async () => {
    home = await processHome({ empty: true })
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-tour-'))
    service = await (await ServiceProcess.start(home.environment)).ready()
  })
  afterAll(async () => {
    await service.end()
    await Promise.all([home.remove(), rm(folder, { recursive: true })])
  })

  it('works as printed, with the credentials that the first start printed', async () => {
    const [, password] = await service.printed(/with the password (\S+)/)
    const [, systemApiKey] = await service.printed(/System API key: (\S+)/)
    const pasted: Record<string, string> = { PASSWORD: password as string, SYSTEM_API_KEY: systemApiKey as string }
    const script = blocksIn(await readFile('docs/api-tour.md', 'utf8'))
      .map((block) => `${block}\necho\necho ----`)
      .join('\n')
      .replaceAll('http://localhost:3000', service.origin)
      .replaceAll(/^printf .*; read -r (\w+)$/gm, (_, name: string) => `${name}='${pasted[name]}'`)

    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })

    const [login, profile, role, user, audit, organisation] = stdout.split('----').map((text) => text.trim())
    expect(JSON.parse(login as string)).toMatchObject({ status: 'authenticated', user: { email: 'owner@acme.test' } })
    expect(JSON.parse(profile as string)).toMatchObject({ organisation: { slug: 'acme' }, roles: [{ slug: 'owner' }] })
    expect(JSON.parse(role as string).data).toContainEqual(
      expect.objectContaining({ slug: 'support', permissions: [expect.objectContaining({ slug: 'users:read' })] }),
    )
    const [created, users] = (user as string).split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text))
    expect(created).toMatchObject({ email: 'carol@acme.test', roles: [{ slug: 'support' }] })
    expect(users).toMatchObject({ total: 2 })
    expect(JSON.parse(audit as string)).toMatchObject({ data: [{ action: 'user.created', targetId: created.id }] })
    expect(JSON.parse(organisation as string)).toMatchObject({ organisation: { slug: 'globex', status: 'trial' } })

    const mail = await service.until(async () => {
      const { body } = await service.anonymous.get('/dev/mail')
      return /href="(\/dev\/mail\/[\w-]+\.eml)">Welcome to Globex<\/a> to hank@globex\.test/.exec(body)?.[1]
    })
    expect((await service.anonymous.get(mail)).body).toMatch(/<a href="\S+\/password\/reset\?token=[\w-]{43}">/)
  })

  it('continues with an API key, as its page prints', async () => {
    const [, password = ''] = await service.printed(/with the password (\S+)/)
    const login = await service.anonymous.post('/v1/auth/login', { email: 'owner@acme.test', password })
    const owner = service.anonymous.with({ cookie: cookieOf(login), 'x-csrf-token': login.body.csrfToken })
    const permissions = ['users:read', 'api_keys:create', 'api_keys:delete']
    const made = await owner.post('/v1/admin/api-keys', { name: 'Tour', permissions, expiresAt: null })
    const script = blocksIn(await readFile('docs/api-keys.md', 'utf8'))
      .map((block) => `${block}\necho\necho ----`)
      .join('\n')
      .replaceAll('http://localhost:3000', service.origin)
      .replace(/^read -r API_KEY$/m, `API_KEY='${made.body.key}'`)

    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder })

    const [users, refused, byNewKey] = stdout.split('----').map((text) => text.trim())
    expect(JSON.parse(users as string).data).toContainEqual(expect.objectContaining({ email: 'owner@acme.test' }))
    expect(JSON.parse(refused as string)).toMatchObject({
      status: 403,
      code: 'missing-permission',
      detail: expect.stringContaining('roles:read'),
    })
    expect(JSON.parse(byNewKey as string).data).toHaveLength(1)
  })
})

describe('the README', () => {
  it('has two commands that do all set-up: one to start, one to test', async () => {
    expect(await blocksOf('Start')).toEqual(['npm ci && npm start\n'])
    expect(await blocksOf('Test')).toEqual(['npm ci && npm test\n'])
  })
})
