import { describe, expect, it } from 'vitest'
import en from '../../console/src/texts/en/sign-in-check.ts'
import { findings, isMet } from '../../src/sign-in-checks/findings.ts'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('why a user cannot sign in', () => {
  it('is asked in one field of the overview, and says what is in the way, and once more when asked again', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const anna = await given.user(owner, { firstName: 'Anna', lastName: 'Shaw' })
    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: '2026-01-31T09:30:00Z' })
    const { page, faults } = await openConsole(owner, '/console')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/admin/sign-in-checks')) asked++
    })

    const panel = page.getByRole('region', { name: 'Why can’t a user sign in?' })
    await panel.getByRole('textbox', { name: 'E-mail address' }).fill(anna.email.toUpperCase())
    await panel.getByRole('button', { name: 'Check' }).click()
    await page.getByText(`${anna.email} cannot sign in`).waitFor()
    await page.getByText(/^The user has been blocked since /).waitFor()
    await page.getByText('Unblock the user.').waitFor()
    await page.getByRole('region', { name: 'By password' }).getByText('Is refused').waitFor()

    await owner.patch(`/v1/admin/users/${anna.id}`, { blockedAt: null })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText(`${anna.email} can sign in`).waitFor()
    await page.getByRole('region', { name: 'By password' }).getByText('Signs in').waitFor()
    expect(asked).toBe(2)
    expect(faults).toEqual([])
  })

  it('is offered for an address in the search, and among the actions of a user', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, `/console/users/${owner.id}`)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Why can’t they sign in?' }).click()
    await page.getByText(`${owner.email} can sign in`).waitFor()

    await page.keyboard.press('Control+K')
    await page.getByRole('dialog').getByRole('combobox').fill('nobody@example.test')
    await page.getByRole('dialog').getByRole('option', { name: 'Why can’t nobody@example.test sign in?' }).click()
    await page.getByText('Your organisation has no account with this address.').waitFor()
    expect(faults).toEqual([])
  })

  it('has a text for each finding, with a remedy where there is one, that names the same values', () => {
    const namesIn = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const texts: Record<string, { why: string; remedy?: string }> = en.found
    expect(Object.keys(texts).sort()).toEqual(Object.keys(findings).sort())
    for (const [code, finding] of Object.entries(findings)) {
      const remedy = 'remedy' in finding ? finding.remedy : undefined
      expect([code, namesIn(texts[code]?.why), namesIn(texts[code]?.remedy)]).toEqual([code, namesIn(finding.why), namesIn(remedy)])
      expect(texts[code]?.remedy === undefined).toBe(isMet(code as keyof typeof findings))
    }
  })
})
