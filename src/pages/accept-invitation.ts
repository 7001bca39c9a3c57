/** /invitations/accept */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { acceptInvitation, getOpenInvitation, type OpenInvitation } from '../invitations/accept-invitation.ts'
import { Acceptance } from '../invitations/schemas.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { applicationPath } from './application.ts'
import { button, emptyForm, errorSummary, type FormState, fieldOf, fixedEmail, formTo, goOn, heading, hidden, submit } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { followOutcome } from './login.ts'
import { refusalText } from './messages.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { formOf, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const NewAccount = Acceptance.extend({ password: chosenPassword() })

export const acceptInvitationPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies
  const route = { config: { access: page() }, schema: { hide: true } }

  app.get('/invitations/accept', route, async (request, reply) => {
    const token = queryOf(request, 'token') ?? ''
    const invitation = await invitationOf(token)
    if (invitation instanceof Problem) return sendPage(reply, ...deadLink(await viewOf(dependencies, request, reply), invitation))
    const view = await viewOf(dependencies, request, reply, invitation.organisationId)
    const policy = await findPasswordPolicy(database, invitation.organisationId)
    return sendPage(reply, view, accountForm(view, invitation, policy, emptyForm({ token })))
  })

  app.post('/invitations/accept', route, async (request, reply) => {
    const invitation = await invitationOf(formOf(request).token ?? '')
    if (invitation instanceof Problem) return sendPage(reply, ...deadLink(await viewOf(dependencies, request, reply), invitation))
    const view = await viewOf(dependencies, request, reply, invitation.organisationId)
    const submission = await submit(dependencies, { request, reply, view }, NewAccount, (input) =>
      acceptInvitation(dependencies, originOf(request), input),
    )
    if (submission.done) return continueAfter(request, reply, view, invitation, submission.result.continueTo)
    const policy = await findPasswordPolicy(database, invitation.organisationId)
    return sendPage(reply, view, accountForm(view, invitation, policy, submission.form))
  })

  /** To the application that the user was invited to, signed in by the password that they have just chosen; else to sign in. */
  async function continueAfter(
    request: FastifyRequest,
    reply: FastifyReply,
    view: View,
    { email, clientId }: OpenInvitation,
    continueTo: string | null | undefined,
  ): Promise<FastifyReply> {
    const toSignIn = (from: View) =>
      goOn(reply, view.language, from.to('/login', { notice: 'accepted', login_hint: email, prompt: 'login' }))
    if (!continueTo || clientId === null) return toSignIn(view)
    // By a path of ours, since a second factor may have to be set up first.
    const onTheWay = view.returningTo(applicationPath(clientId))
    try {
      const credentials = { email, password: formOf(request).password ?? '' }
      return followOutcome(dependencies, reply, onTheWay, await signIn(dependencies, originOf(request), credentials, request.afterAnswer))
    } catch (error) {
      if (error instanceof Problem) return toSignIn(onTheWay)
      throw error
    }
  }

  /** What the token opens, or why it opens nothing. */
  async function invitationOf(token: string): Promise<OpenInvitation | Problem> {
    try {
      return await getOpenInvitation(database, token)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }
}

function accountForm(view: View, invitation: OpenInvitation, policy: StoredPolicy, form: FormState): Page {
  const { texts } = view
  const own = texts.invitation
  const title = own.title(invitation.organisationName)
  const names = html`<div class="columns">${fieldOf(form, {
    name: 'firstName',
    label: texts.firstName,
    autocomplete: 'given-name',
    first: true,
  })}${fieldOf(form, { name: 'lastName', label: texts.lastName, autocomplete: 'family-name' })}</div>`
  const fields = html`${hidden('token', form.values.token ?? '')}${names}${fixedEmail(view, invitation.email)}${newPasswordField(view, form, texts.password, policy)}${button(own.submit)}`
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    body: html`${heading(title, own.lead)}${errorSummary(view, form)}${formTo(view, view.to('/invitations/accept'), fields)}`,
  }
}

function deadLink(view: View, problem: Problem): [View, Page] {
  const { deadTitle, dead } = view.texts.invitation
  const isOver = problem.slug === 'bad-request'
  const title = isOver ? deadTitle : view.texts.errorPage.refused
  return [view, { status: isOver ? 400 : 403, title, body: heading(title, isOver ? dead : refusalText(view.texts, problem)) }]
}
