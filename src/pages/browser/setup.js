// This script improves the pages of set-up links. Each page works without it: elements that need the script are hidden until it runs.

/** @type {<E extends HTMLElement>(selector: string) => NodeListOf<E>} */
const all = (selector) => document.querySelectorAll(selector)

/** The token of a link follows the `#`, which no browser sends. */
function openLink() {
  const form = document.querySelector('form[data-token]')
  const token = form?.querySelector('input[name="token"]')
  if (!(form instanceof HTMLFormElement && token instanceof HTMLInputElement) || !/^#[\w-]{43}$/.test(location.hash)) return
  token.value = location.hash.slice(1)
  // Neither the history nor a copied address shall have it.
  history.replaceState(null, '', location.pathname + location.search)
  form.submit()
}

function readFiles() {
  for (const input of all('input[data-reads]')) {
    const field = document.getElementById(input.dataset.reads ?? '')
    if (!(input instanceof HTMLInputElement && field instanceof HTMLTextAreaElement)) continue
    const label = input.closest('[hidden]')
    if (label instanceof HTMLElement) label.hidden = false
    input.addEventListener('change', async () => {
      const [file] = input.files ?? []
      if (file) field.value = await file.text()
    })
  }
}

function offerToCopy() {
  if (!navigator.clipboard) return
  for (const button of all('[data-copies]')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.dataset.copies ?? '')
      button.textContent = button.dataset.copied ?? ''
    })
  }
}

const askAgainMilliseconds = 10_000

/** Shows the page anew once something has arrived, and not while a person types. */
function followProgress() {
  const [followed] = all('[data-progress]')
  if (!followed) return
  const ask = async () => {
    const response = await fetch(`/setup/progress?of=${followed.dataset.of ?? ''}`).catch(() => undefined)
    // Not by a reload, which would send again the form that led here.
    if (response?.ok && (await response.json()).progress !== followed.dataset.progress)
      location.replace(location.pathname + location.search)
    else setTimeout(ask, askAgainMilliseconds)
  }
  setTimeout(ask, askAgainMilliseconds)
}

openLink()
readFiles()
offerToCopy()
followProgress()
