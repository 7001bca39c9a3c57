/**
 * Writes pictures of every page of the console, in every state and with what can lie over it, in light and dark, on a phone and a
 * desktop, in English and German, to screenshots/console/ (`SCREENSHOTS_FOLDER`). `SCREENSHOTS_ONLY` takes those of one name:
 * `users-dark-phone-de`, `*-light-desktop-en`, `many-*`.
 */
import { rm } from 'node:fs/promises'
import { matchesGlob } from 'node:path'
import process from 'node:process'
import { it } from 'vitest'
import { type Appearance, useConsole } from '../support/console.ts'
import { everyAddress, everyOverlay, prepareScene, type Scene } from './every-page.ts'
import { everyState, type State, statesWithManyRecords, textsIn } from './states.ts'

const { service, openConsole } = useConsole()
const { SCREENSHOTS_FOLDER: folder = 'screenshots', SCREENSHOTS_ONLY: only = '*' } = process.env
const target = `${folder}/console`
const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
const locales = { en: 'en-GB', de: 'de-DE' }
const appearances = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.entries(screens).flatMap(([screen, viewport]) =>
    Object.entries(locales).map(([language, locale]) => ({
      suffix: `-${colorScheme}-${screen}-${language}`,
      language,
      appearance: { colorScheme, viewport, locale } satisfies Appearance,
    })),
  ),
)

it('writes a picture of every page of the console in every state', { timeout: 900_000 }, async () => {
  if (only === '*') await rm(target, { recursive: true, force: true })
  // All names of the console end so; the command may ask for a page of the service alone.
  if (!/(-(en|de)|\*)$/.test(only)) return
  const states = await allStates()
  const left = [...appearances]
  const failures: string[] = []
  // Two at once, as the machine that takes pictures has two processors at least.
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) failures.push(...(await takeAll(states, next)))
  }
  await Promise.all([work(), work()])
  if (failures.length > 0) throw new Error(`Not as they should be:\n${failures.join('\n')}`)
})

/** Pages with something to show, with nothing, and all other states, those of one user one after another. */
async function allStates(): Promise<State[]> {
  const scene = await prepareScene(service())
  const { owner } = await service().given.organisation()
  const ids = idsOf(scene)
  const full = [...everyAddress(scene), ...everyOverlay(scene), '/console/users?q=nobody']
  const empty = full.filter((address) => !ids.some((id) => address.includes(id)) && !address.includes('?'))
  const shows = (address: string) => ({ name: nameOf(address, scene), user: scene.owner, address })
  const showsNothing = (address: string) => ({ name: `empty-${nameOf(address, scene)}`, user: owner, address })
  // To fill the tables takes longer than to take some pictures of something else.
  const many = /^(many-|\*)/.test(only) ? await statesWithManyRecords(service()) : []
  return [...full.map(shows), ...empty.map(showsNothing), ...(await everyState(service(), scene)), ...many]
}

/** @returns what went wrong */
async function takeAll(states: State[], { suffix, language, appearance }: (typeof appearances)[number]): Promise<string[]> {
  const failures: string[] = []
  let opened: { console: Awaited<ReturnType<typeof openConsole>>; user: State['user'] } | undefined
  for (const { name, user, address, before, steps } of states) {
    if (!matchesGlob(name + suffix, only)) continue
    const isOfItsOwn = before !== undefined || steps !== undefined
    if (isOfItsOwn || opened?.user !== user) {
      await opened?.console.context.close()
      opened = { console: await openConsole(user, '/account', appearance), user }
      await before?.(opened.console.page)
      await opened.console.page.goto(isOfItsOwn ? address : '/console')
    }
    const { page, goTo, settled, context } = opened.console
    page.setDefaultTimeout(8_000)
    const complain = (error: Error) => void failures.push(`${name}${suffix}: ${error.message.split('\n')[0]}`)
    await (isOfItsOwn ? settled() : goTo(address)).catch(complain)
    if (/[?&](create|entry)=/.test(address)) await page.getByRole('dialog').waitFor().catch(complain)
    await steps?.(page, textsIn(language)).catch(complain)
    // What lies over a page, and the bars that stick to an edge, stand where the window shows them.
    const fullPage = !steps && !address.includes('?')
    await page.screenshot({ path: `${target}/${name}${suffix}.png`, fullPage, animations: 'disabled' }).catch(complain)
    if (isOfItsOwn) {
      await context.close()
      opened = undefined
    }
  }
  await opened?.console.context.close()
  return failures
}

/** `/console/users/usr_…/access` → `users-one-access` */
function nameOf(address: string, scene: Scene): string {
  const path = idsOf(scene).reduce((text, id) => text.replace(id, 'one'), address.replace('/console', ''))
  return path.replaceAll(/[/?=]+/g, '-').replace(/^-/, '') || 'overview'
}

const idsOf = (scene: Scene) => Object.values(scene).filter((value): value is string => typeof value === 'string')
