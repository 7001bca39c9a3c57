import { describe, expect, it } from 'vitest'
import type { Examination } from '../../src/doctor/examine.ts'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole({ environment: { REDIS_URL: 'redis://127.0.0.1:1' } })

describe('the doctor in the console', () => {
  it('asks for the key of the system API, shows what is wrong first, and runs again', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/system/doctor')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const key = page.getByLabel('System API key')
    await key.fill('not-the-key-of-this-service-at-all')
    await page.getByRole('button', { name: 'Examine' }).click()
    await page.getByText('This is not the system API key of this service.').waitFor()
    expect(faults.splice(0).join()).toContain('401')

    await key.fill(service().systemApiKey)
    await page.getByRole('button', { name: 'Examine' }).click()
    await page.getByRole('button', { name: 'Examine again' }).waitFor()
    const redis = page.getByRole('region', { name: 'Redis answers' })
    await redis.getByText('Start Redis there, or set REDIS_URL to where it is').waitFor()
    await redis.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('Start Redis there, or set REDIS_URL to where it is')

    const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
    expect(headings.indexOf('Redis answers')).toBeLessThan(headings.indexOf('Configuration'))
    await page.getByRole('button', { name: 'Examine again' }).click()
    await page.getByRole('button', { name: 'Examine again' }).waitFor()
    await expect.poll(() => page.getByText('SECRET_KEY cannot be guessed').count()).toBe(1)
    // The key is nowhere but in the field.
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, location.href])')).not.toContain(service().systemApiKey)
    expect(faults).toEqual([])
  })

  it('says what is wrong, why it matters and what mends it in the language of the reader', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console/system/doctor', { locale: 'de-DE' })
    await page.getByLabel('Schlüssel der System-API').fill(service().systemApiKey)
    await page.getByRole('button', { name: 'Prüfen' }).click()
    const redis = page.getByRole('region', { name: 'Redis antwortet' })
    await redis
      .getByText('REDIS_URL: Redis ist unter 127.0.0.1:1 nicht erreichbar (ECONNREFUSED). Jeder Prozess zählt Versuche für sich')
      .waitFor()
    await redis.getByText(/^Ohne Redis zählt jeder Prozess Versuche für sich/).waitFor()
    await redis.getByText('Starten Sie Redis dort, oder setzen Sie REDIS_URL auf die richtige Adresse').waitFor()
    // Of what is as it should be, too.
    await page.getByText('SECRET_KEY_PREVIOUS ist nicht gesetzt').waitFor({ timeout: 10_000 })
    expect(await page.getByRole('main').locator('[lang=en]').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('says in English what a service of a later release finds', async () => {
    const { owner } = await service().given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/system/doctor', { locale: 'de-DE' })
    await context.route('**/v1/system/doctor', async (route) => {
      const response = await route.fetch()
      const examination = (await response.json()) as Examination
      const later = { code: 'redis-of-the-future', seen: 'It answers tomorrow', why: 'Today is over', remedy: 'Wait for it' }
      const checks = examination.checks.map((check) => (check.name === 'redis' ? { ...check, ...later } : check))
      await route.fulfill({ response, json: { ...examination, checks } })
    })
    await page.getByLabel('Schlüssel der System-API').fill(service().systemApiKey)
    await page.getByRole('button', { name: 'Prüfen' }).click()
    const english = page.getByRole('region', { name: 'Redis antwortet' }).locator('p[lang=en]')
    await expect
      .poll(() => english.allTextContents())
      .toEqual(['It answers tomorrow', 'Today is over', expect.stringContaining('Wait for it')])
    expect(faults).toEqual([])
  })
})
