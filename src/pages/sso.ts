/** /login/sso: the form with only the address, whose domain decides where to sign in */
import { findConnectionOfDomain } from '../domains/sso-requirement.ts'
import { EmailCodeRequest } from '../email-codes/schemas.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { type HtmlValue, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { continueTo } from './continue-to.ts'
import { definePage } from './define-page.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import type { Page } from './layout.ts'
import { type PageDependencies, queryOf, type SignInView, signInViewOf, type View } from './view.ts'

const ssoPath = '/login/sso'

export const ssoPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path: ssoPath,
    visit: async (request, reply) => ({ request, reply, view: await signInViewOf(dependencies, request, reply) }),
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '' }),
    show: ({ view }, form) => {
      const { ssoTitle: title, ssoLead: lead } = view.texts.signIn
      return identifierForm(view, form, { title, lead, after: toPassword(view, form.values.email) })
    },
    input: EmailCodeRequest,
    operation: async ({ request, view }, { email }) => {
      // Without a limit, a client that asks about every domain would learn which organisations exist here.
      await dependencies.limits.ssoPagesByAddress.count(callerAddress(request))
      const home = await findConnectionOfDomain(dependencies.database, email)
      // An address of one organisation's domain may have its account in another one, whose page this is.
      const isHere = view.organisationId === undefined || view.organisationId === home?.organisationId
      return { email, connectionId: isHere ? home?.connectionId : undefined }
    },
    done: ({ reply, view }, { email, connectionId }) => {
      if (connectionId === undefined) return reply.redirect(passwordStep(view, email), 303)
      // The URL is absolute, since the redirects lead to another origin.
      return continueTo(reply, view.language, dependencies.publicUrl + view.to(`/federation/${connectionId}/start`, { login_hint: email }))
    },
  })
}

interface IdentifierContent extends Pick<Parameters<typeof formPage>[2], 'title' | 'lead' | 'notice' | 'after'> {
  autocomplete?: string
  takesFocus?: boolean
}

/**
 * The first step of a sign-in: the domain of the address decides how to continue. Only the domain does, so it reveals nothing of accounts.
 */
export function identifierForm(
  view: View,
  form: FormState,
  { autocomplete = 'username', takesFocus = true, ...content }: IdentifierContent,
): Page {
  return formPage(view, form, {
    ...content,
    action: view.to(ssoPath),
    fields: [{ name: 'email', label: view.texts.email, type: 'email', autocomplete, first: takesFocus }],
    submit: view.texts.continue,
  })
}

/** Leads to the form with a password. */
export const toPassword = (view: View, loginHint: string | undefined): HtmlValue =>
  html`<p class="after"><a href="${passwordStep(view, loginHint)}">${view.texts.signIn.withPassword}</a></p>`

const passwordStep = (view: View, loginHint: string | undefined) =>
  view.to('/login', { step: 'password', login_hint: loginHint || undefined })

/** Leads from the page of no organisation to the form with the address alone. */
export const toSso = (view: SignInView): HtmlValue =>
  html`<p class="after"><a href="${view.to(ssoPath)}">${view.texts.signIn.withSso}</a></p>`
