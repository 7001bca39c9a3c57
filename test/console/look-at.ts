import type { Page } from 'playwright-core'

/** What a user is shown at an address of the console. */
export interface Look {
  address: string
  /** Those of the first level, of which there should be one. */
  headings: string[]
  /** The beginning of what the page says. */
  text: string
  /**
   * The names of what can be pressed or filled in, each once: buttons, fields, the entries of menus, the links of the page's head.
   * All that is in a form is one: "a form". What is disabled is not among them.
   */
  controls: string[]
  /** It still says that it loads, after two minutes. */
  isLoading: boolean
  /** Nothing stands below its head and its tabs. */
  isBlank: boolean
}

/**
 * Goes from address to address without loading the console again, and looks at each when it is wholly shown. All of it runs in the
 * page, where a page that asks for nothing takes some milliseconds. Addresses replace each other: thousands of entries in the history
 * take the browser as long as all that it shows.
 */
export const lookAt = (page: Page, addresses: readonly string[]): Promise<Look[]> =>
  page.evaluate(`(${lookInPage})(${JSON.stringify(addresses)})`)

/** Forgets all that was read, and reads who one is again. */
export const readAgain = (page: Page): Promise<void> => page.evaluate('self.__TSR_ROUTER__.options.context.queries.resetQueries()')

const lookInPage = `async (addresses) => {
  // The router and the queries tell when all that a page asks for is there.
  const router = self.__TSR_ROUTER__
  const { queries } = router.options.context
  const main = () => document.querySelector('main')
  const marks = 'main [role=status][aria-label], main [aria-busy=true], main [data-loading]'
  const moment = () => new Promise((resolve) => setTimeout(resolve, 4))
  const until = async (isSo) => {
    for (const end = Date.now() + 120_000; !isSo() && Date.now() < end; ) await moment()
  }
  const loaded = new WeakSet()
  const onLoad = ({ target }) => loaded.add(target)
  document.addEventListener('load', onLoad, true)
  const isCalm = () =>
    router.state.status === 'idle' && router.state.resolvedLocation?.href === router.state.location.href &&
    queries.isFetching() === 0 && document.querySelector('main h1') && !document.querySelector(marks) &&
    [...document.querySelectorAll('main iframe')].every((frame) => loaded.has(frame))
  const untilCalm = async () => {
    const end = Date.now() + 120_000
    for (let calm = 0; calm < 3 && Date.now() < end; ) {
      await moment()
      calm = isCalm() ? calm + 1 : 0
    }
    return !isCalm()
  }
  const nameOf = (element) =>
    // The time that some have in their name is another one at each change of a role.
    (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? (element.textContent || element.closest('label')?.textContent) ?? '')
      .trim().replaceAll(/\\s+/g, ' ').replaceAll(/\\d+:\\d+:\\d+( [AP]M)?/g, '')
  const controlsIn = (root, selector) =>
    [...root.querySelectorAll(selector)].filter((element) => !element.matches('[aria-hidden=true], [aria-disabled=true], :disabled'))
  const inMenus = async () => {
    const names = []
    for (const trigger of main().querySelectorAll('button[aria-haspopup=menu]')) {
      trigger.click()
      await until(() => document.querySelector('[role=menu]'))
      const menu = document.querySelector('[role=menu]')
      names.push(...controlsIn(menu, '[role=menuitem]').map(nameOf))
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      await until(() => !document.querySelector('[role=menu]'))
    }
    return names
  }
  const isBlank = () => {
    const rest = main().cloneNode(true)
    for (const element of rest.querySelectorAll('header, nav')) element.remove()
    return rest.textContent.trim() === '' && !rest.querySelector('svg, input, iframe')
  }
  const looks = []
  for (const address of addresses) {
    history.replaceState({}, '', address)
    const isLoading = await untilCalm()
    const shown = controlsIn(main(), 'button:not([aria-haspopup=menu]), header a[href], input, textarea, [role=checkbox], [role=switch]')
    const controls = [...shown.map((element) => (element.closest('form') ? 'a form' : nameOf(element))), ...(await inMenus())]
    looks.push({
      address,
      headings: [...document.querySelectorAll('main h1')].map((heading) => heading.textContent),
      text: main().textContent.slice(0, 400),
      controls: [...new Set(controls)],
      isLoading,
      isBlank: isBlank(),
    })
  }
  document.removeEventListener('load', onLoad, true)
  return looks
}`
