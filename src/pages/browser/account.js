// This script improves the account pages. Each page works without it: elements that need the script are hidden until it runs.

const language = document.documentElement.lang
// Some browsers report `en-US@posix`, which no formatter accepts.
const locale = navigator.languages.find((one) => one.startsWith(`${language}-`) && /^[\w-]+$/.test(one)) ?? language
/** @type {<E extends HTMLElement>(selector: string) => NodeListOf<E>} */
const all = (selector) => document.querySelectorAll(selector)

function showLocalTimes() {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (all('time'))) {
    const shown = time.dataset.day === undefined ? format : day
    time.textContent = shown.format(new Date(time.dateTime))
  }
  const city = format.resolvedOptions().timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  for (const zone of all('[data-zone]')) zone.textContent = (zone.dataset.zone ?? '').replace('{city}', city)
}

function offerCodes() {
  for (const offer of all('[data-codes]')) {
    const codes = Array.from(all('.codes li'), (code) => code.textContent)
    const text = [offer.dataset.codes, '', ...codes, ''].join('\r\n')
    /** @param {string} name @param {() => unknown} act */
    const enable = (name, act) => {
      const button = offer.querySelector(`[data-do="${name}"]`)
      if (!(button instanceof HTMLElement)) return
      button.hidden = false
      button.addEventListener('click', act)
    }
    const status = offer.querySelector('[role=status]')
    // Browsers offer the clipboard to https and localhost only.
    if (navigator.clipboard) {
      enable('copy', async () => {
        const copied = await navigator.clipboard.writeText(codes.join('\n')).then(
          () => true,
          () => false,
        )
        if (status instanceof HTMLElement) status.textContent = (copied ? status.dataset.done : status.dataset.failed) ?? ''
      })
    }
    enable('download', () => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
      link.download = offer.dataset.file ?? ''
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
    })
    enable('print', () => window.print())
    offer.hidden = false
  }
}

function offerToShowPasswords() {
  for (const button of all('[data-shows]')) {
    const field = document.getElementById(button.dataset.shows ?? '')
    if (!(field instanceof HTMLInputElement)) continue
    button.hidden = false
    button.addEventListener('click', () => {
      const isShown = field.type === 'password'
      field.type = isShown ? 'text' : 'password'
      button.setAttribute('aria-pressed', String(isShown))
    })
    // A password manager stores a field that was a password when the form was sent.
    field.form?.addEventListener('submit', () => {
      field.type = 'password'
    })
  }
}

/** The same rules as the service applies: src/passwords/rules.ts. */
const characters = { uppercase: /\p{Lu}/u, lowercase: /\p{Ll}/u, number: /\p{Nd}/u, symbol: /[^\p{L}\p{N}\s]/u }

/** @param {string} rule @param {string} password */
function isMet(rule, password) {
  if (rule in characters) return characters[/** @type {keyof typeof characters} */ (rule)].test(password)
  return [...password].length >= Number(rule)
}

function tickPasswordRules() {
  for (const list of all('[data-rules-of]')) {
    const field = document.getElementById(list.dataset.rulesOf ?? '')
    if (!(field instanceof HTMLInputElement)) continue
    const tick = () => {
      for (const rule of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[data-rule]'))) {
        const met = isMet(rule.dataset.rule ?? '', field.value)
        rule.classList.toggle('met', met)
        for (const state of rule.querySelectorAll('span')) state.hidden = !met
      }
    }
    field.addEventListener('input', tick)
    tick()
  }
}

function askBeforeEnding() {
  for (const form of all('form[data-confirm]')) {
    form.addEventListener('submit', (submission) => {
      if (!window.confirm(form.dataset.confirm)) submission.preventDefault()
    })
  }
}

showLocalTimes()
offerCodes()
offerToShowPasswords()
tickPasswordRules()
askBeforeEnding()
