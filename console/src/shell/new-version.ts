import { createStore } from '../base/store.ts'

const isReady = createStore(false)

/** Whether a part of the page was not there any more, and the page was not reloaded by itself. */
export const newVersion = { isReady: isReady.get, subscribe: isReady.subscribe }

/** Asks what a browser asks before it leaves a page: every form with unsaved input answers. */
const wouldLose = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))

/**
 * Handles a missing chunk: another version was installed since the page was loaded. The page is reloaded, at most once a minute, since two
 * versions may serve one address. Over unsaved input a banner says so instead.
 */
export function watchForNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem('gatehouse.reloaded') ?? 0)
    if (Date.now() - last < 60_000 || wouldLose()) return isReady.set(true)
    event.preventDefault()
    sessionStorage.setItem('gatehouse.reloaded', String(Date.now()))
    location.reload()
  })
}
