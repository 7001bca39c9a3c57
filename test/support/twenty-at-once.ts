import { PageVisitor, type PasskeyForm } from './page-visitor.ts'

/**
 * Sends the form of a page twenty times at once, from as many browsers with one session.
 *
 * @param origins of the services that take turns
 * @param fieldsFor the fields of each, from the form that asks for a passkey, if there is one
 * @returns their statuses, and the session cookies that they got
 */
export async function twentyAtOnce(
  origins: readonly string[],
  page: string,
  cookie: string,
  fieldsFor: (index: number, form: PasskeyForm | undefined) => Record<string, string>,
): Promise<{ status: number; cookies: string[] }[]> {
  const forms = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const origin = origins[index % origins.length] ?? ''
      const browser = new PageVisitor(origin, cookie)
      const { formToken } = await browser.open(page)
      return { origin, browser, formToken, form: await browser.passkeyForm(page) }
    }),
  )
  const requests = forms.map(({ origin, browser, formToken, form }, index) => {
    const body = new URLSearchParams({ formToken, ...fieldsFor(index, form) })
    return new Request(origin + page, { method: 'POST', redirect: 'manual', body, headers: { cookie: browser.cookie } })
  })
  return Promise.all(
    requests.map(async (request) => {
      const { status, headers } = await fetch(request)
      return { status, cookies: headers.getSetCookie().filter((line) => line.startsWith('svc_session=')) }
    }),
  )
}
