import { describe, expect, it } from 'vitest'
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
})
