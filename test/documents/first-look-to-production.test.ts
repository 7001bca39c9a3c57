/** docs/from-first-look-to-production.md, walked as far as a machine without systemd, mail and a domain can: from the first start to production. */
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, inject, it, onTestFinished } from 'vitest'
import { builtService } from '../support/built-service.ts'
import { onServer } from '../support/database-server.ts'
import { run } from '../support/languages.ts'
import { ServiceProcess } from '../support/service-process.ts'

const page = await readFile('docs/from-first-look-to-production.md', 'utf8')
const steps = page.split(/^## (?=\d\. )/m).slice(1)

/** The code blocks of a step in a language. */
const blocksOf = (step: number, language: string): string[] =>
  [...(steps[step - 1] ?? '').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block)

it('has eight steps, each with a command and with how to see that it worked', () => {
  expect(steps.map((step) => step[0])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  for (const step of steps) expect(step).toMatch(/```(sh|sql)\n[\s\S]*\*\*It worked\*\* when/)
})

it('leads from the embedded database to a service in production on PostgreSQL, in which the same users sign in', async () => {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('This needs a server of PostgreSQL')
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-first-look-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/gatehouse'), `#!/bin/sh\nexec '${process.execPath}' '${builtService}' "$@"\n`)
  await chmod(join(folder, 'bin/gatehouse'), 0o755)
  const name = `${database.run}_production`
  const server = new URL(database.serverUrl)
  const place = (text: string) =>
    text.replaceAll('127.0.0.1:5432/gatehouse', `${server.host}/${name}`).replaceAll('postgres://gatehouse', `postgres://${name}`)
  const shell = (script: string) =>
    run('bash', ['--norc', '-euo', 'pipefail', '-c', place(script)], {
      cwd: folder,
      env: { PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
    })

  const firstLook = await (await ServiceProcess.start({ DATA_DIR: join(folder, 'data') })).ready()
  onTestFinished(async () => void (await firstLook.end('SIGKILL')))
  const [, email = '', password = ''] = await firstLook.printed(/sign in as (\S+) with the password (\S+)/)

  expect((await shell(blocksOf(2, 'sh').join(''))).stdout).toMatch(/^Wrote first-look\.backup/)

  await shell(blocksOf(3, 'sh').join(''))
  expect((await stat(join(folder, 'environment'))).mode & 0o777).toBe(0o600)
  const [variables = ''] = blocksOf(3, 'ini')
  await writeFile(join(folder, 'environment'), place(variables).replace(/^SMTP_URL=.*\n/m, ''), { flag: 'a' })

  // The server of the tests has both roles of the service.
  for (const statement of blocksOf(4, 'sql')
    .join('')
    .split('\n')
    .filter((line) => line && !/gatehouse_\w+ nologin/.test(line)))
    await onServer(database.serverUrl, statement.replaceAll(/\bgatehouse\b/g, name))
  onTestFinished(async () => {
    await onServer(database.serverUrl, `drop database ${name} with (force)`)
    await onServer(database.serverUrl, `drop role ${name}`)
  })
  expect(await onServer(place('postgres://gatehouse:a-password@127.0.0.1:5432/gatehouse'), 'select 1 as one')).toEqual([{ one: 1 }])

  expect(await firstLook.end()).toBe(0)
  const move = blocksOf(5, 'sh')
    .join('')
    .replace(/^printf .*; read -rs PGPASSWORD; export PGPASSWORD$/m, 'export PGPASSWORD=a-password')
  expect((await shell(move)).stdout).toContain('Counts and checksums are equal')

  expect((await shell(blocksOf(6, 'sh').join(''))).stdout).toMatch(/^acme +/m)

  const environment = Object.fromEntries(
    [...(await readFile(join(folder, 'environment'), 'utf8')).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
  )
  const inProduction = await (await ServiceProcess.start({ ...environment, DATA_DIR: join(folder, 'state') })).ready()
  onTestFinished(async () => void (await inProduction.end('SIGKILL')))
  expect((await inProduction.anonymous.get('/readyz')).body).toEqual({ status: 'ok' })
  expect(await inProduction.anonymous.post('/v1/auth/login', { email, password })).toMatchObject({ status: 200 })
  expect((await inProduction.anonymous.get('/.well-known/openid-configuration')).body.issuer).toBe('https://id.example.com')
})
