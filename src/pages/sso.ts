/** /login/sso: the form with only the address, whose domain decides where to sign in */
import type { FastifyRequest } from 'fastify'
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

/** The values with which the sign-in continues. */
export interface Asked {
  loginHint: string | undefined
  isNewSignIn: boolean
}

/** What the link asks for that has led to the sign-in. */
export const askedOf = (request: FastifyRequest): Asked => ({
  loginHint: queryOf(request, 'login_hint'),
  isNewSignIn: queryOf(request, 'prompt') === 'login',
})

/** A step of the sign-in that is told what was asked for, also after its form was refused. */
export const withAsked = (view: View, path: string, { loginHint, isNewSignIn }: Asked, parameters: Record<string, string> = {}): string =>
  view.to(path, { ...parameters, login_hint: loginHint || undefined, prompt: isNewSignIn ? 'login' : undefined })

export const ssoPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path: ssoPath,
    visit: async (request, reply) => ({ request, reply, view: await signInViewOf(dependencies, request, reply) }),
    values: ({ request }) => ({ email: queryOf(request, 'login_hint') ?? '' }),
    show: ({ request, view }, form) => {
      const asked = { ...askedOf(request), loginHint: form.values.email }
      const { ssoTitle: title, ssoLead: lead } = view.texts.signIn
      return identifierForm(view, form, asked, { title, lead, after: toPassword(view, asked) })
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
    done: ({ request, reply, view }, { email, connectionId }) => {
      const asked = { ...askedOf(request), loginHint: email }
      if (connectionId === undefined) return reply.redirect(passwordStep(view, asked), 303)
      // The URL is absolute, since the redirects lead to another origin.
      return continueTo(reply, view.language, dependencies.publicUrl + withAsked(view, `/federation/${connectionId}/start`, asked))
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
  asked: Asked,
  { autocomplete = 'username', takesFocus = true, ...content }: IdentifierContent,
): Page {
  return formPage(view, form, {
    ...content,
    action: withAsked(view, ssoPath, asked),
    fields: [{ name: 'email', label: view.texts.email, type: 'email', autocomplete, first: takesFocus }],
    submit: view.texts.continue,
  })
}

/** Leads to the form with a password. */
export const toPassword = (view: View, asked: Asked): HtmlValue =>
  html`<p class="after"><a href="${passwordStep(view, asked)}">${view.texts.signIn.withPassword}</a></p>`

const passwordStep = (view: View, asked: Asked) => withAsked(view, '/login', asked, { step: 'password' })

/** Leads from the page of no organisation to the form with the address alone. */
export const toSso = (view: SignInView, asked: Asked): HtmlValue =>
  html`<p class="after"><a href="${withAsked(view, ssoPath, asked)}">${view.texts.signIn.withSso}</a></p>`
