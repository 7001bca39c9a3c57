/**
 * Handles a missing chunk: another version was installed since the page was loaded. The page is reloaded, at most once a minute, since two
 * versions may serve one address, and never over unsaved input.
 */
export function watchForNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem('gatehouse.reloaded') ?? 0)
    if (Date.now() - last < 60_000 || document.querySelector('[data-dirty]')) return
    event.preventDefault()
    sessionStorage.setItem('gatehouse.reloaded', String(Date.now()))
    location.reload()
  })
}
