/** Copies a time that is selected alone, and whole, in ISO 8601. As a part of a larger selection it is copied as it is shown. */
export function copyTimes(): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection()
    const begin = selection?.anchorNode
    const time = (begin instanceof Element ? begin : begin?.parentElement)?.closest('time')
    if (!time || String(selection).trim() !== time.textContent) return
    event.clipboardData?.setData('text', time.dateTime)
    event.preventDefault()
  })
}
