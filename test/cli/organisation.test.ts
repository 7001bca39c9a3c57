import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsTerminal, recordsOf, runCommand, runOnTerminal } from '../support/command.ts'
import { type ProcessHome, processHome, ServiceProcess } from '../support/service-process.ts'

let home: ProcessHome
const gatehouse = (line: string) => runCommand(home.environment, line)
beforeAll(async () => {
  home = await processHome()
  const service = await (await ServiceProcess.start({ ...home.environment, BOOTSTRAP_ORGANISATION_SLUG: 'acme' })).ready()
  await service.end()
})
afterAll(() => home.remove())

describe('gatehouse organisation list', () => {
  it('prints a table', async () => {
    const { status, stdout, stderr } = await gatehouse('organisation list')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^SLUG +NAME +STATUS +EMAIL +CREATED AT +ID\nacme +Acme +active +\S+@\S+ +\S+Z +org_\w+\n$/)
  })

  it('prints a record a line as JSON', async () => {
    expect(recordsOf(await gatehouse('organisation list --json'))).toMatchObject([{ slug: 'acme', status: 'active' }])
    expect(recordsOf(await gatehouse('organisation list --json'))[0]).not.toHaveProperty('sortKey')
    expect(recordsOf(await gatehouse('organisation list --json --search AC'))).toHaveLength(1)
    expect(await gatehouse('organisation list --search other')).toMatchObject({ status: 0, stdout: 'No organisations\n' })
  })
})

const created = 'organisation create --name Globex --slug globex --email it@globex.test --owner-email hank@globex.test'
const statusOf = async (slug: string) => recordsOf(await gatehouse(`organisation list --json --search ${slug}`))[0]?.status

describe('gatehouse organisation create', () => {
  it('says with --dry-run what would happen, and creates nothing', async () => {
    expect(await gatehouse(`${created} --dry-run`)).toMatchObject({
      status: 0,
      stdout: 'Would create globex, whose owner hank@globex.test would be mailed a link that sets a password\n',
      stderr: 'Nothing was changed: this was a dry run\n',
    })
    expect(await statusOf('globex')).toBeUndefined()
  })

  it('creates it once', async () => {
    const { status, stdout, stderr } = await gatehouse(`${created} --json`)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ organisation: { slug: 'globex', status: 'trial' }, owner: { email: 'hank@globex.test' } })
    expect(await gatehouse(created)).toEqual({ status: 1, stdout: '', stderr: 'Organisation name already in use\n' })
  })

  it('names the option that is missing or wrong', async () => {
    expect(await gatehouse('organisation create')).toMatchObject({ status: 2, stderr: expect.stringContaining("'--name <name>'") })
    expect(await gatehouse(created.replace('--slug globex', '--slug Glo_bex'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--slug is wrong: '),
    })
  })
})

describe('gatehouse organisation suspend, activate, delete', () => {
  it('change the status, by name of who did it', async () => {
    expect(await runCommand(home.environment, ['organisation', 'suspend', 'globex', '--reason', 'Invoice', '--yes'])).toEqual({
      status: 0,
      stdout: 'globex is suspended\n',
      stderr: '',
    })
    expect(await gatehouse('organisation activate globex')).toMatchObject({ status: 0, stdout: 'globex is active\n' })
    expect(await gatehouse('organisation delete globex --dry-run')).toEqual({
      status: 0,
      stdout:
        'Would cancel globex: its 1 user could no longer sign in, 0 sessions would end, and its data would be exported and purged after 30 days\n',
      stderr: 'Nothing was changed: this was a dry run\n',
    })
    expect(await statusOf('globex')).toBe('active')
    expect(JSON.parse((await gatehouse('organisation delete globex --yes --json')).stdout)).toMatchObject({ status: 'cancelled' })
    expect(await statusOf('globex')).toBe('cancelled')
  })

  it.each(['suspend acme', 'delete acme'])('need to be told more for %s', async (line) => {
    expect(await gatehouse(`organisation ${line}`)).toMatchObject({ status: 2, stderr: expect.stringMatching(/--reason|--yes is missing/) })
    expect(await statusOf('acme')).toBe('active')
  })

  it('say where no terminal can ask what will happen, in numbers, and change nothing', async () => {
    const suspended =
      /^--yes is missing, and no terminal can ask: acme is suspended: its 1 user can no longer sign in, and 0 sessions end\. `gatehouse organisation activate acme` takes it back, but sessions and set-up links stay ended$/m
    expect(await gatehouse('organisation suspend acme --reason x')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(suspended),
    })
    const cancelled =
      /^--yes is missing, and no terminal can ask: acme is cancelled: .*\. Until it is purged, `gatehouse organisation restore acme` takes it back, /
    expect(await gatehouse('organisation delete acme')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(cancelled) })
    expect(await statusOf('acme')).toBe('active')
  })

  it('ask on a terminal for the slug to be typed', needsTerminal, async () => {
    const typed = (answer: string) => runOnTerminal(home.environment, ['organisation', 'suspend', 'acme', '--reason', 'x'], answer)
    const refused = await typed('yes')
    expect(refused).toMatchObject({ status: 1, shown: expect.stringContaining('Nothing was changed: "yes" was typed, not "acme"') })
    expect(refused.shown).toContain('acme is suspended: its 1 user can no longer sign in, and 0 sessions end\n')
    expect(refused.shown).not.toContain('cannot be undone')
    expect(await statusOf('acme')).toBe('active')
    expect(await typed('acme')).toMatchObject({ status: 0, shown: expect.stringMatching(/acme is suspended\n$/) })
    await gatehouse('organisation activate acme')
  })

  it.each(['suspend nowhere --reason x', 'activate nowhere', 'delete nowhere --yes'])(
    'say for %s where organisations are listed',
    async (line) => {
      expect(await gatehouse(`organisation ${line}`)).toEqual({
        status: 1,
        stdout: '',
        stderr: 'There is no organisation "nowhere": `gatehouse organisation list` shows them\n',
      })
    },
  )
})

describe('a cancelled organisation', () => {
  const files = {
    'users.csv': 'email,firstName,lastName\nnew@initech.test,A,B\n',
    'realm.json': '{}',
    'auth0.jsonl': '',
    'teams.yaml': 'teams: {}',
  }
  const file = (name: keyof typeof files) => join(home.folder, name)
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(home.folder, name), text)
    await gatehouse('organisation create --name Initech --slug initech --email it@initech.test --owner-email bill@initech.test')
    expect(await gatehouse('organisation delete initech --yes')).toMatchObject({ status: 0 })
  })

  it('takes nothing more from a command, which would be purged with it, and says how to take the cancellation back', async () => {
    for (const line of [
      `import users ${file('users.csv')} --organisation initech --send-links`,
      `import users ${file('users.csv')} --organisation initech --dry-run`,
      `import keycloak ${file('realm.json')} --organisation initech`,
      `import auth0 ${file('auth0.jsonl')} --organisation initech`,
      'user create --organisation initech --email new@initech.test --first-name A --last-name B',
      'user update bill@initech.test --last-name Lumbergh',
      'role create --organisation initech --name Late --slug late',
      'organisation update initech --website https://www.initech.test',
      `plan -f ${file('teams.yaml')} --organisation initech`,
      `apply -f ${file('teams.yaml')} --organisation initech --yes`,
    ]) {
      expect([line, await gatehouse(line)]).toEqual([
        line,
        { status: 1, stdout: '', stderr: 'initech is cancelled: `gatehouse organisation restore initech` takes that back\n' },
      ])
    }
    expect(await gatehouse('user sessions end bill@initech.test')).toEqual({ status: 1, stdout: '', stderr: 'Organisation is cancelled\n' })
  })

  it('can be looked at, and restored', async () => {
    expect((await gatehouse('user list --organisation initech')).stdout).toContain('bill@initech.test')
    expect((await gatehouse('user find bill@initech.test')).stdout).toContain('initech (cancelled)')
    const exported = await gatehouse('export --organisation initech')
    expect(exported).toMatchObject({ status: 0, stdout: expect.stringMatching(/^organisation: initech\n/) })
    const document = join(home.folder, 'initech.yaml')
    await writeFile(document, exported.stdout)
    expect(await gatehouse(`diff -f ${document}`)).toEqual({ status: 0, stdout: 'initech is as the document says\n', stderr: '' })
    expect(await gatehouse('organisation restore initech')).toMatchObject({ status: 0, stdout: 'initech is trial\n' })
    expect(await gatehouse('role create --organisation initech --name Late --slug late')).toMatchObject({ status: 0 })
  })
})
