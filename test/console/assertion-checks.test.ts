import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { assertionFor, givenAccepting, present, signAssertion, withAssertions } from '../support/identity-assertions.ts'
import { type IdentityProvider, listeningProvider } from '../support/identity-provider.ts'

const { service, openConsole } = useConsole({ environment: withAssertions })

let provider: IdentityProvider & { close(): Promise<void> }
beforeAll(async () => {
  provider = await listeningProvider({ now: () => service().clock.now() })
})
afterAll(() => provider.close())

/** An organisation that accepts assertions, and one of these. */
async function given(changes: Record<string, unknown> = {}) {
  const accepting = await givenAccepting(service(), provider)
  const aud = service().services.issuer
  const claims = { ...assertionFor(accepting, provider, service().clock.now()), aud, ...changes }
  return { ...accepting, assertion: await signAssertion(provider, claims) }
}

describe('the inspection of an assertion', () => {
  it('shows at a connection what an application would get by it, with every check', async () => {
    const { owner, connectionId, assertion, orders } = await given()
    const { page, faults } = await openConsole(owner, `/console/connections/${connectionId}/accounts`)

    await page.getByRole('button', { name: 'Inspect an assertion' }).click()
    const drawer = page.getByRole('dialog', { name: 'Inspect an assertion' })
    await drawer.getByLabel('Assertion', { exact: true }).fill(`${assertion}\n`)
    await drawer.getByRole('button', { name: 'Inspect', exact: true }).click()

    await drawer.getByText('The application would get an access token').waitFor()
    await drawer.getByRole('link', { name: 'Editor' }).waitFor()
    await drawer.getByRole('link', { name: 'Workforce' }).waitFor()
    await drawer.getByText(orders.identifier, { exact: true }).first().waitFor()
    expect(await drawer.getByRole('listitem').count()).toBe(20)
    expect(await drawer.getByRole('img', { name: 'Met', exact: true }).count()).toBe(20)
    await drawer.getByRole('button', { name: 'Close' }).last().click()
    await drawer.waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('shows beside the APIs of other companies what is not met, and takes another one', async () => {
    const { owner } = await given()
    const { page, faults } = await openConsole(owner, '/console/other-apis')

    await page.getByRole('button', { name: 'Inspect an assertion' }).click()
    const drawer = page.getByRole('dialog', { name: 'Inspect an assertion' })
    await drawer.getByLabel('Assertion', { exact: true }).fill('no assertion at all')
    await drawer.getByRole('button', { name: 'Inspect', exact: true }).click()

    await drawer.getByText('It is refused: 2 checks are not met').waitFor()
    const row = drawer.getByRole('listitem').filter({ hasText: 'It is a signed JWT' })
    await row.getByText('a signed JWT', { exact: true }).waitFor()
    await row.getByText('*** (19 characters)').waitFor()
    await row.getByText('invalid_grant (assertion)').waitFor()
    expect(await drawer.getByRole('img', { name: 'Not reached' }).count()).toBe(18)
    await drawer.getByRole('button', { name: 'Inspect another one' }).click()
    expect(await drawer.getByLabel('Assertion', { exact: true }).inputValue()).toBe('no assertion at all')
    expect(faults).toEqual([])
  })

  it('is in German, and names the application that is chosen', async () => {
    const { owner, connectionId, assertion } = await given({ client_id: 'cli_unknown' })
    const { page, faults } = await openConsole(owner, `/console/connections/${connectionId}/accounts`, { locale: 'de' })

    await page.getByRole('button', { name: 'Assertion prüfen' }).click()
    const drawer = page.getByRole('dialog', { name: 'Assertion prüfen' })
    await drawer.getByLabel('Assertion', { exact: true }).fill(assertion)
    await drawer.getByRole('combobox', { name: 'Anwendung, die sie vorlegt' }).click()
    await page.getByRole('option', { name: /Editor/ }).click()
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Prüfen', exact: true }).click()

    await drawer.getByText('Sie wird abgelehnt: 1 Prüfung ist nicht erfüllt').waitFor()
    const row = drawer.getByRole('listitem').filter({ hasText: 'Sie ist für diese Anwendung' })
    await row.getByText('cli_unknown').waitFor()
    expect(faults).toEqual([])
  })

  it('is not offered to those who may not inspect one', async () => {
    const { owner, connectionId } = await given()
    const reader = await service().given.userWith(owner, ['connections:read', 'users:read'])
    const { page, faults } = await openConsole(reader, `/console/connections/${connectionId}/accounts`)
    await page.getByText('Yes, at 1 API').waitFor()
    expect(await page.getByRole('button', { name: 'Inspect an assertion' }).count()).toBe(0)
    expect(faults).toEqual([])
  })
})

describe('what an application may do by an assertion', () => {
  it('is shown as managed by the connection: at the user, and at the application', async () => {
    const { owner, userId, editor, assertion } = await given()
    expect((await present(editor, assertion)).status).toBe(200)
    const { page, faults, goTo } = await openConsole(owner, `/console/users/${userId}/applications`)

    await page.getByText('Managed by Workforce, which does not ask the user').waitFor()
    await page.getByRole('button', { name: 'End access' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('With another assertion of Workforce it gets new ones').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await goTo(`/console/applications/${editor.id}/users`)
    await page.getByText('Managed by Workforce, which does not ask the user').waitFor()
    await page.getByRole('button', { name: 'End access' }).click()
    await question.getByText('With another assertion of Workforce it gets new ones').waitFor()
    expect(faults).toEqual([])
  })
})
