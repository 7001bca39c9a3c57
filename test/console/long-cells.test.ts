import { describe, expect, it } from 'vitest'
import { useConsole } from '../support/console.ts'
import { unique } from '../support/given.ts'
import { tooWideOn } from '../support/looks.ts'
import { createEndpoint } from '../support/webhooks.ts'
import { everyTable, prepareScene, type Scene } from './every-page.ts'

const { service, openConsole } = useConsole()

/** Longer than a column, and without a place to break. */
const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenverein'
const longest = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const longHost = `${'a-long-label-'.repeat(4)}x.${'another-label-'.repeat(3)}x.example.test`

/** Gives each list one row with a cell that has no room. */
async function lengthen({ owner, userId, roleId, teamId, clientId, connectionId, directoryId, resourceId }: Scene): Promise<void> {
  const made = async (path: string, body: object) => {
    const { status, body: answer } = await owner.post(path, body)
    if (status !== 201) throw new Error(`${path} is answered ${status}: ${JSON.stringify(answer)}`)
  }
  const email = `${'long-address-'.repeat(4)}${unique()}@${longHost}`
  await made('/v1/admin/users', { email, firstName: long, lastName: long, roleIds: [roleId], teamIds: [teamId], sendWelcomeMail: false })
  await made('/v1/admin/invitations', { email: `invited-${email}`, roleId, teamIds: [teamId] })
  await made('/v1/admin/teams', { name: `${long} ${long}`, slug: `long-${unique()}` })
  await made('/v1/admin/roles', { name: long, slug: `long-${unique()}`, description: `${long} ${long}`, permissionIds: [] })
  await made('/v1/admin/api-keys', { name: long, permissions: ['users:read'] })
  await made('/v1/admin/domains', { domain: `${unique()}.${longHost}` })
  await made('/v1/admin/connections', { name: long, slug: `long-${unique()}`, provider: 'google', isActive: false })
  await owner.patch(`/v1/admin/clients/${clientId}`, { name: `${long} Planner`, redirectUris: [`https://${longHost}/callback`] })
  await made('/v1/admin/resource-authorization-servers', {
    name: long,
    issuer: `https://${longHost}/${unique()}`,
    audienceClientId: clientId,
  })
  const resourceIdentifier = `https://${longHost}/${unique()}`
  const scopes = [{ name: `${'a-long-scope-'.repeat(4)}read`, description: long }]
  await made('/v1/admin/resource-servers', { name: long, identifier: resourceIdentifier, scopes })
  await made('/v1/admin/registration-tokens', { name: long, maxUses: 10 })
  await made('/v1/admin/setup-links', { name: `${long} ${long}`, purposes: ['domain'] })
  await made('/v1/admin/directories', { name: long })
  await owner.patch(`/v1/admin/resource-servers/${resourceId}`, { name: longest, scopes })
  await owner.patch(`/v1/admin/users/${userId}`, { firstName: long, lastName: long })
  await owner.patch(`/v1/admin/roles/${roleId}`, { name: longest })
  await owner.patch(`/v1/admin/connections/${connectionId}`, { name: longest })
  await owner.patch(`/v1/admin/directories/${directoryId}`, { name: longest })
  await createEndpoint(owner, { url: `https://${longHost}/${long}`, events: ['*'] })
}

/**
 * The words of tables that are broken, and the times, ids, addresses, counts and badges that wrap or are cut. A word that is longer than
 * a column may be is broken, or ends in an ellipsis.
 */
const brokenCells = `(() => {
  const linesOf = (range) => new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top, height }) => Math.round(top + height / 2))).size
  const found = []
  for (const cell of document.querySelectorAll('main table th, main table td')) {
    if (!cell.checkVisibility() || cell.closest('.visually-hidden')) continue
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index, 0: word } of node.data.matchAll(/\\S+/g)) {
        if (word.length > 28) continue
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        // After a hyphen, as a language has it.
        if (linesOf(range) > (word.includes('-') || word.includes('\\u00AD') ? 2 : 1)) found.push(word + ' is broken in "' + cell.textContent.slice(0, 60) + '"')
      }
    }
    for (const whole of cell.querySelectorAll('time, [data-whole]')) {
      const range = document.createRange()
      for (const node of whole.childNodes) if (node.nodeType === Node.TEXT_NODE) range.selectNode(node)
      if (linesOf(range) > 1) found.push(whole.textContent + ' wraps')
      const line = whole.closest('[data-cut]')
      if (line && line.scrollWidth > line.clientWidth + 1 && line.firstElementChild === whole) found.push(whole.textContent + ' is cut')
    }
  }
  const wide = [...document.querySelectorAll('main table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth + 1 && getComputedStyle(table.parentElement).overflowX === 'visible')
  return [...found, ...wide.map((table) => 'the table ' + table.getAttribute('aria-label') + ' is wider than its place')]
})()`

describe('the lists of the console, each with one very long cell,', () => {
  it('break no time, id, address, count, badge or word, on a phone, a tablet and a desktop, in both languages', async () => {
    const scene = await prepareScene(service())
    await lengthen(scene)
    const mistakes: string[] = []
    for (const locale of ['en-GB', 'de-DE']) {
      const { page, faults, goTo } = await openConsole(scene.owner, '/console', { locale, reducedMotion: 'reduce' })
      // "50 minutes ago" needs more room than "now".
      await page.addInitScript('Date.now = ((now) => () => now() + 50 * 60_000)(Date.now)')
      await page.reload()
      for (const address of everyTable(scene)) {
        await goTo(address)
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 })
          await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
          const broken = [...((await page.evaluate(brokenCells)) as string[]), ...(await tooWideOn(page))]
          mistakes.push(...broken.map((what) => `${address.replace(/\w+_\w{26}/, '')} ${locale} ${width}: ${what}`))
        }
      }
      expect(faults).toEqual([])
    }
    expect(mistakes).toEqual([])
  })
})

describe('a name without a place to break', () => {
  it('fits the question before its record is removed, and the button at which people sign in', async () => {
    const scene = await prepareScene(service())
    const { owner, clientId, connectionId } = scene
    await owner.patch(`/v1/admin/clients/${clientId}`, { name: longest })
    await owner.patch(`/v1/admin/connections/${connectionId}`, { name: longest })
    const { page, goTo } = await openConsole(owner, '/console', { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' })
    const beyond = () =>
      page.evaluate(
        "[...document.querySelectorAll('[role=alertdialog] *')].filter((one) => one.getBoundingClientRect().right > innerWidth).length",
      )
    const question = page.getByRole('alertdialog')
    await goTo(`/console/applications/${clientId}`)
    await page.locator('main header button[aria-haspopup=menu]').first().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await question.getByLabel(longest).waitFor()
    expect(await beyond()).toBe(0)
    await page.goto(`/console/connections/${connectionId}`)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await question.getByLabel(longest).waitFor()
    expect(await beyond()).toBe(0)
    await page.goto('/login/preview?lang=en')
    await page.getByText(longest).waitFor()
    expect(await tooWideOn(page)).toEqual([])
  })

  it('is cut at its end, also where it is written from the right', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const lastName = 'الأنصاري الخزرجي القرطبي المالكي المعروف بابن العريف الصنهاجي'
    await given.user(owner, { firstName: 'محمد', lastName })
    const { page, settled } = await openConsole(owner, '/console/users', { viewport: { width: 390, height: 800 } })
    await settled()
    // An ellipsis is at the end of the direction of what is cut.
    expect(await page.locator('[data-cut]:dir(rtl)', { hasText: lastName }).count()).toBe(1)
  })
})
