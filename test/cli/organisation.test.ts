import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordsOf, runCommand } from '../support/command.ts'
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
    expect(recordsOf(await gatehouse('organisation list --json --search AC'))).toHaveLength(1)
    expect(await gatehouse('organisation list --search other')).toMatchObject({ status: 0, stdout: 'None\n' })
  })
})

const created = 'organisation create --name Globex --slug globex --email it@globex.test --owner-email hank@globex.test'
const statusOf = async (slug: string) => recordsOf(await gatehouse(`organisation list --json --search ${slug}`))[0]?.status

describe('gatehouse organisation create', () => {
  it('says with --dry-run what would happen, and creates nothing', async () => {
    expect(await gatehouse(`${created} --dry-run`)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Created globex \(org_/),
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
    expect(await runCommand(home.environment, ['organisation', 'suspend', 'globex', '--reason', 'Invoice'])).toEqual({
      status: 0,
      stdout: 'globex is suspended\n',
      stderr: '',
    })
    expect(await gatehouse('organisation activate globex')).toMatchObject({ status: 0, stdout: 'globex is active\n' })
    expect(await gatehouse('organisation delete globex --dry-run')).toMatchObject({ status: 0, stdout: 'globex is cancelled\n' })
    expect(await statusOf('globex')).toBe('active')
    expect(JSON.parse((await gatehouse('organisation delete globex --yes --json')).stdout)).toMatchObject({ status: 'cancelled' })
    expect(await statusOf('globex')).toBe('cancelled')
  })

  it.each(['suspend acme', 'delete acme'])('need to be told more for %s', async (line) => {
    expect(await gatehouse(`organisation ${line}`)).toMatchObject({ status: 2, stderr: expect.stringMatching(/--reason|--yes/) })
    expect(await statusOf('acme')).toBe('active')
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
