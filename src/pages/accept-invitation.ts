/** /invitations/accept */

import type { FastifyReply } from 'fastify'
import { originOf } from '../access/caller.ts'
import { acceptInvitation, findRequirementOf, getOpenInvitation, type OpenInvitation } from '../invitations/accept-invitation.ts'
import { Acceptance } from '../invitations/schemas.ts'
import type { StoredPolicy } from '../organisations/rules.ts'
import { findPasswordPolicy } from '../passwords/inspect-link.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { signIn } from '../sign-in/sign-in.ts'
import { applicationPath } from './application.ts'
import { continueTo } from './continue-to.ts'
import { definePage, type Visit } from './define-page.ts'
import { fixedEmail, hidden } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { followOutcome } from './login.ts'
import { refusalText } from './messages.ts'
import { chosenPassword, newPasswordField } from './password-fields.ts'
import { toConnection } from './to-connection.ts'
import { formOf, linkTokenOf, type PageDependencies, type View, viewOf } from './view.ts'

const NewAccount = Acceptance.extend({ password: chosenPassword() })

interface InvitationVisit extends Visit {
  invitation: OpenInvitation
}

export const acceptInvitationPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database } = dependencies

  definePage(app, dependencies, {
    path: '/invitations/accept',
    visit: async (request, reply): Promise<InvitationVisit | undefined> => {
      const invitation = await invitationOf(linkTokenOf(request))
      const organisationId = invitation instanceof Problem ? undefined : invitation.organisationId
      const view = await viewOf(dependencies, request, reply, organisationId)
      if (invitation instanceof Problem) {
        sendPage(reply, view, invalidLink(view, invitation))
        return undefined
      }
      // The sign-in by the connection accepts the invitation.
      const requirement = await findRequirementOf(dependencies, invitation)
      const onTheWay = invitation.clientId === null ? view : view.returningTo(applicationPath(invitation.clientId))
      if (requirement) toConnection(dependencies, { request, reply, view: onTheWay }, requirement.refusal(), invitation.email)
      return requirement ? undefined : { request, reply, view, invitation }
    },
    values: ({ request }) => ({ token: linkTokenOf(request) }),
    show: async ({ view, invitation }, form) =>
      accountForm(view, invitation, await findPasswordPolicy(database, invitation.organisationId), form),
    input: NewAccount,
    operation: ({ request }, input) => acceptInvitation(dependencies, originOf(request), input),
    done: (visit, result) => continueAfter(visit, result.continueTo),
  })

  /**
   * Continues to the application that the user was invited to, signed in
   * by the password that they have just chosen, or else to the sign-in.
   */
  async function continueAfter(
    { request, reply, view, invitation: { email, clientId } }: InvitationVisit,
    location: string | null | undefined,
  ): Promise<FastifyReply> {
    const toSignIn = (from: View) =>
      continueTo(reply, view.language, from.to('/login', { notice: 'accepted', login_hint: email, prompt: 'login' }))
    if (!location || clientId === null) return toSignIn(view)
    // Redirect by a path of ours, since a second factor may have to be set up first.
    const onTheWay = view.returningTo(applicationPath(clientId))
    try {
      const credentials = { email, password: formOf(request).password ?? '' }
      const outcome = await signIn(dependencies, originOf(request), credentials, view.language, request.afterResponse)
      return followOutcome(dependencies, reply, onTheWay, outcome)
    } catch (error) {
      if (error instanceof Problem) return toSignIn(onTheWay)
      throw error
    }
  }

  /** The invitation that the token opens, or the reason why it opens none. */
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
  const { firstName, lastName, password, invitation: own } = view.texts
  return formPage(view, form, {
    title: own.title(invitation.organisationName),
    lead: own.lead,
    action: view.to('/invitations/accept'),
    fields: [
      hidden('token', form.values.token ?? ''),
      {
        columns: [
          { name: 'firstName', label: firstName, autocomplete: 'given-name', first: true },
          { name: 'lastName', label: lastName, autocomplete: 'family-name' },
        ],
      },
      fixedEmail(view, invitation.email),
      newPasswordField(view, password, policy),
    ],
    submit: own.submit,
  })
}

function invalidLink(view: View, problem: Problem): Page {
  const { invalidTitle, invalid } = view.texts.invitation
  const isOver = problem.slug === 'bad-request'
  const title = isOver ? invalidTitle : view.texts.errorPage.refused
  return { status: isOver ? 400 : 403, title, body: heading(title, isOver ? invalid : refusalText(view.texts, problem)) }
}
