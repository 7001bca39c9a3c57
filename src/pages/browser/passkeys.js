// Passkeys on the pages (WebAuthn Level 3). Elements that need the script are hidden until it runs. Nothing is fetched: the options come
// with the page, and the response of the device is posted with a form.

/** @type {AbortController | undefined} A browser carries out one request at a time. */
let pending

/** @param {HTMLFormElement} form @param {string} name @param {string} value */
function fill(form, name, value) {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement) field.value = value
}

/** Asks the device. @param {HTMLFormElement} form @param {CredentialMediationRequirement} [mediation] */
async function ask(form, mediation) {
  const options = JSON.parse(form.dataset.options ?? '')
  pending?.abort()
  pending = new AbortController()
  const { signal } = pending
  const { credentials } = navigator
  return form.dataset.passkey === 'create'
    ? credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options), signal })
    : credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), signal, ...(mediation && { mediation }) })
}

/** @param {HTMLFormElement} form @param {Credential | null} credential */
function send(form, credential) {
  if (!(credential instanceof PublicKeyCredential)) return
  fill(form, 'credential', JSON.stringify(credential.toJSON()))
  // Do not use `requestSubmit`, which would ask the device again.
  form.submit()
}

/** Sends along which of several buttons it was, as the browser does with a form. @param {HTMLFormElement} form @param {HTMLElement | null} button */
function choose(form, button) {
  if (!(button instanceof HTMLButtonElement) || button.name === '') return
  const earlier = form.querySelector('input[data-chosen]')
  const chosen = earlier instanceof HTMLInputElement ? earlier : document.createElement('input')
  Object.assign(chosen, { type: 'hidden', name: button.name, value: button.value })
  chosen.dataset.chosen = ''
  form.append(chosen)
}

/** @param {HTMLFormElement} form */
function offer(form) {
  const status = form.querySelector('[role=status]')
  form.addEventListener('submit', async (submission) => {
    submission.preventDefault()
    choose(form, submission.submitter)
    if (status instanceof HTMLElement) status.textContent = ''
    try {
      send(form, await ask(form))
    } catch (error) {
      const name = error instanceof DOMException ? error.name : ''
      // Another request has replaced this one.
      if (name === 'AbortError' || !(status instanceof HTMLElement)) return
      const { cancelled = '', known = '', impossible = '' } = status.dataset
      status.textContent = name === 'InvalidStateError' ? known || cancelled : name === 'NotAllowedError' ? cancelled : impossible
      if (form.dataset.autofill !== undefined) void offerInField(form)
    }
  })
  form.hidden = false
}

/** Lets the browser offer passkeys where the e-mail address is typed. @param {HTMLFormElement} form */
async function offerInField(form) {
  try {
    if (await PublicKeyCredential.isConditionalMediationAvailable()) send(form, await ask(form, 'conditional'))
  } catch {
    // The button still works.
  }
}

/** Tells the device what the service knows. A browser without support is not worse off. @param {HTMLElement} element */
async function signal(element) {
  const can = /** @type {Record<string, ((options: object) => Promise<void>) | undefined>} */ (/** @type {unknown} */ (PublicKeyCredential))
  for (const [name, options] of Object.entries(JSON.parse(element.dataset.signals ?? '{}'))) {
    await can[name]?.call(PublicKeyCredential, options).catch(() => {})
  }
}

/** Remembers for the steps after the sign-in that this device can have passkeys and verify its user. @param {string} cookie */
async function noteDevice(cookie) {
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser that has passkeys has the Cookie Store
  document.cookie = `${cookie}=1; path=/login; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
}

if ('PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential) {
  /** @type {NodeListOf<HTMLElement>} */
  const dependent = document.querySelectorAll('[data-with-passkeys], [data-without-passkeys]')
  for (const element of dependent) element.hidden = element.dataset.withPasskeys === undefined
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll('form[data-passkey]')
  for (const form of forms) offer(form)
  for (const form of forms) {
    if (form.dataset.autofill !== undefined) void offerInField(form)
    if (form.dataset.atOnce !== undefined) form.requestSubmit()
  }
  const device = document.querySelector('[data-device-cookie]')
  if (device instanceof HTMLElement) void noteDevice(device.dataset.deviceCookie ?? '')
  /** @type {NodeListOf<HTMLElement>} */
  const signals = document.querySelectorAll('[data-signals]')
  for (const element of signals) void signal(element)
}
