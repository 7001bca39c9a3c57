import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'

const { service, openConsole } = useConsole()

describe('the console in a browser', () => {
  it.each(['light', 'dark'] as const)('starts under its content security policy, in %s', async (colorScheme) => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner, '/console', { colorScheme })

    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(faults).toEqual([])
  })

  it('shows something before any script or style has arrived, and says what it needs without scripts', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults, context } = await openConsole(owner, 'about:blank')
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/console/assets/**', async (route) => {
      await held
      await route.continue()
    })
    void page.goto('/console', { waitUntil: 'commit' })
    await page.getByText('Gatehouse …').waitFor()
    // It is painted, not only there.
    await expect.poll(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length")).toBe(1)
    letThrough()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await page.getByText('Gatehouse …').count()).toBe(0)
    expect(faults).toEqual([])

    const icon = await page.locator('link[rel=icon]').getAttribute('href')
    expect(icon).toMatch(/^data:image\/svg/)
    expect(await (await context.request.get('/console')).text()).toMatch(/<noscript>[\s\S]*needs JavaScript[\s\S]*braucht JavaScript/)
  })

  it('shows the current tab of a record where the strip of tabs is cut off, wherever a link leads', async () => {
    const { owner } = await service().given.organisation()
    const { body: server } = await owner.post('/v1/admin/resource-servers', { name: 'Orders', identifier: 'https://api.orders.test/' })
    const { page, goTo, settled } = await openConsole(owner, '/console', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await settled()
    for (const [path, name] of [
      ['/history', 'History'],
      ['', 'Overview'],
      ['/claims', 'Claims'],
    ] as const) {
      await goTo(`/console/resources/${server.id}${path}`)
      const tab = page.getByRole('navigation', { name: 'Orders' }).getByRole('link', { name })
      await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
      await expect
        .poll(async () => {
          const { x, width } = (await tab.boundingBox()) ?? { x: -1, width: 0 }
          return x >= 0 && x + width <= 390
        })
        .toBe(true)
    }
  })

  it('marks the current page in the navigation, whichever of its sections is shown', async () => {
    const { owner } = await service().given.organisation()
    const { page, goTo } = await openConsole(owner, '/console/organisation/sign-in')
    const current = page.getByRole('navigation', { name: 'Navigation' }).locator('[aria-current=page]')
    for (const [address, entry] of [
      ['/console/organisation/sign-in', 'Organisation'],
      ['/console/users', 'Users'],
      ['/console/events', 'Webhooks'],
      ['/console/setup-links', 'Connections'],
      ['/console/unused', 'Overview'],
      ['/console/sign-in-check', 'Overview'],
      ['/console', 'Overview'],
    ] as const) {
      await goTo(address)
      expect(await current.allTextContents()).toEqual([entry])
    }
  })

  it('would report a violation, an error, a refused request and another origin', async () => {
    const { owner } = await service().given.organisation()
    const { page, faults } = await openConsole(owner)
    await page.getByRole('heading', { level: 1 }).waitFor()

    await page.evaluate(`
      document.body.setAttribute('style', 'color: red')
      try { document.body.innerHTML = '<p>x</p>' } catch {}
      fetch('/v1/nothing')
      fetch('https://elsewhere.test/').catch(() => {})
      setTimeout(() => { throw new Error('uncaught') })
      console.error('wrong')
    `)
    await expect.poll(() => faults.join('\n')).toMatch(/404 GET/)
    await expect.poll(() => faults.length).toBeGreaterThan(6)
    const all = faults.join('\n')
    for (const kind of [
      /^violation: style-src-attr blocks inline/m,
      /^violation: require-trusted-types-for/m,
      /^violation: connect-src blocks https:\/\/elsewhere.test/m,
      /^response: 404 GET .*\/v1\/nothing$/m,
      /^error: uncaught$/m,
      /^console: wrong$/m,
    ])
      expect(all).toMatch(kind)
  })
})
