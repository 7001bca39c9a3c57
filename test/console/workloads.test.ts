import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { givenApplication } from '../support/oauth.ts'
import { credentialOf, platform } from '../support/platforms.ts'

/** One client or key of the whole installation may have it. */
const subjectOf = (name: string) => `repo:acme/${name}-${unique()}:ref:refs/heads/main`

const { service, openConsole } = useConsole({ environment: { OAUTH_EXTENSIONS: 'federated_credentials,private_key_jwt' } })

describe('the workloads of an application', () => {
  it('are added with each mistake at its field, and asked about before what was typed is lost', async () => {
    const app = await givenApplication(service())
    const { owner } = app.organisation
    const credential = credentialOf(await platform('github'), { subject: subjectOf('build') })
    await owner.patch(`/v1/admin/clients/${app.id}`, { federatedCredentials: [credential] })
    const { page, faults } = await openConsole(owner, `/console/applications/${app.id}/security`)

    await page.getByRole('button', { name: 'Add workload' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Nightly')
    await page.getByLabel('Subject').fill('*')
    await page.getByRole('button', { name: 'Add workload' }).click()
    await expect.poll(() => page.getByLabel('Subject').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.getByLabel('Subject').evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await page.getByText(/federatedCredentials/).count()).toBe(0)
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 PATCH/)])

    await page.getByRole('link', { name: 'Users', exact: true }).first().click()
    const question = page.getByRole('alertdialog', { name: 'Discard what you have typed?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByLabel('Subject').fill(subjectOf('nightly'))
    await page.getByRole('button', { name: 'Add workload' }).click()
    await page.getByRole('row', { name: /Nightly/ }).waitFor()
    const { body } = await owner.get(`/v1/admin/clients/${app.id}`)
    expect(body.federatedCredentials).toMatchObject([{ name: credential.name }, { name: 'Nightly' }])
    expect(faults).toEqual([])
  })
})

describe('the workloads of an API key', () => {
  it('are all that uses a key without a secret', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/api-keys?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    const subject = subjectOf('deployment')
    await drawer.getByRole('button', { name: 'Workloads without a secret' }).click()
    await drawer.getByRole('button', { name: 'Read everything' }).click()
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByLabel('Name', { exact: true }).first().fill('main')
    await drawer.getByLabel('Subject').fill(subject)
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByRole('row', { name: /main/ }).waitFor()
    await drawer.getByLabel('Name', { exact: true }).fill('Deployment')
    await drawer.getByRole('button', { name: 'Create API key' }).click()
    await page
      .getByRole('row', { name: /Deployment/ })
      .getByText('no secret')
      .waitFor()
    const { body } = await owner.get('/v1/admin/api-keys')
    expect(body.data).toMatchObject([{ name: 'Deployment', prefix: '', federatedCredentials: [{ name: 'main', subject }] }])
    expect(faults).toEqual([])
  })

  it('are named in the list of unused keys by the words of the list of keys', async () => {
    const { owner } = await service().given.organisation()
    const federatedCredentials = [credentialOf(await platform('github'), { subject: subjectOf('old') })]
    const permissions = ['users:read']
    await owner.post('/v1/admin/api-keys', { name: 'Deployment', permissions, federatedCredentials, secret: 'none' })
    await owner.post('/v1/admin/api-keys', { name: 'Import', permissions })
    const { page, faults } = await openConsole(owner, '/console/api-keys')
    await page.clock.setFixedTime(Date.now() + 200 * 86_400_000)
    await page.goto('/console/unused')
    const keys = page.getByRole('region', { name: 'API keys unused for 90 days' })
    await keys
      .getByRole('row', { name: /Deployment/ })
      .getByText('no secret', { exact: true })
      .waitFor()
    await keys
      .getByRole('row', { name: /Import/ })
      .getByText(/^ak_.+…$/)
      .waitFor()
    expect(faults).toEqual([])
  })

  it('are complete before the key is made, and named where one is refused', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/api-keys?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Create API key' })
    const create = drawer.getByRole('button', { name: 'Create API key' })
    await drawer.getByRole('button', { name: 'Workloads without a secret' }).click()
    await drawer.getByRole('button', { name: 'Read everything' }).click()
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByLabel('Name', { exact: true }).first().fill('main')
    await drawer.getByLabel('Subject').fill('*')
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByRole('row', { name: /main/ }).waitFor()
    await drawer.getByLabel('Name', { exact: true }).fill('Deployment')

    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByText('Add the workload that you have begun, or cancel it').waitFor({ state: 'attached' })
    expect(await create.isDisabled()).toBe(true)
    await drawer.getByRole('button', { name: 'Cancel' }).first().click()
    await create.click()
    const mistake = drawer.getByRole('alert').getByText(/^main: /)
    await mistake.waitFor()
    expect(await drawer.getByText(/federatedCredentials/).count()).toBe(0)
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 POST/)])

    await drawer.getByRole('button', { name: 'Remove main' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await mistake.waitFor({ state: 'detached' })
    expect((await owner.get('/v1/admin/api-keys')).body.data).toEqual([])
    expect(faults).toEqual([])
  })

  it('are not removed by an administrator who has not seen them', async () => {
    const { owner } = await service().given.organisation()
    const github = await platform('github')
    const of = (name: string) => credentialOf(github, { name, subject: subjectOf(name) })
    const [build, release] = [of('build'), of('release')]
    const body = { name: 'Deployment', permissions: ['users:read'], federatedCredentials: [build] }
    const { body: key } = await owner.post('/v1/admin/api-keys', body)
    const { page, faults } = await openConsole(owner, '/console/api-keys')
    const stored = async () =>
      (await owner.get(`/v1/admin/api-keys/${key.id}`)).body.federatedCredentials.map(({ name }: { name: string }) => name)

    await page.getByRole('button', { name: 'Workloads of Deployment' }).click()
    const drawer = page.getByRole('dialog', { name: 'Deployment' })
    await drawer.getByRole('row', { name: /build/ }).waitFor()
    await owner.patch(`/v1/admin/api-keys/${key.id}`, { federatedCredentials: [build, release] })
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByLabel('Name', { exact: true }).fill('nightly')
    await drawer.getByLabel('Subject').fill(subjectOf('nightly'))
    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByText('Another administrator has changed it meanwhile').waitFor()
    await drawer.getByRole('row', { name: /release/ }).waitFor()
    expect(await stored()).toEqual(['build', 'release'])

    await drawer.getByRole('button', { name: 'Add workload' }).click()
    await drawer.getByRole('row', { name: /nightly/ }).waitFor()
    expect(await stored()).toEqual(['build', 'release', 'nightly'])
    expect(faults).toEqual([expect.stringMatching(/^response: 412 PATCH/)])
  })
})
