/** /email/verify: mail scanners open links, so only the button uses the link up */
import { originOf } from '../access/caller.ts'
import { findActionLink } from '../passwords/action-links.ts'
import { LinkToken } from '../passwords/schemas.ts'
import { verifyEmail } from '../passwords/verify-email.ts'
import type { App } from '../platform/http/server.ts'
import { definePage } from './define-page.ts'
import { fixedEmail, hidden } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { linkTokenOf, type PageDependencies, type View, viewOf } from './view.ts'

export const verifyEmailPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies

  definePage(app, dependencies, {
    path: '/email/verify',
    visit: async (request, reply) => {
      const link = await findActionLink(database, linkTokenOf(request), 'email_verification')
      const view = await viewOf(dependencies, request, reply, link?.organisationId)
      if (link) return { request, reply, view, link }
      sendPage(reply, view, invalidLink(view))
      return undefined
    },
    values: ({ request }) => ({ token: linkTokenOf(request) }),
    show: ({ view, link }, form) => confirmation(view, link.email, form),
    input: LinkToken,
    operation: ({ request }, { token }) => verifyEmail(database, originOf(request), token),
    done: ({ reply, view }) => sendPage(reply, view, confirmed(view)),
  })
}

function confirmation(view: View, email: string, form: FormState): Page {
  const { title, lead, submit } = view.texts.verification
  return formPage(view, form, {
    title,
    lead,
    action: view.to('/email/verify'),
    fields: [hidden('token', form.values.token ?? ''), fixedEmail(view, email)],
    submit,
  })
}

function confirmed(view: View): Page {
  const { doneTitle, done } = view.texts.verification
  return { title: doneTitle, body: heading(doneTitle, done) }
}

function invalidLink(view: View): Page {
  const { invalidTitle, invalid } = view.texts.verification
  return { status: 400, title: invalidTitle, body: heading(invalidTitle, invalid) }
}
