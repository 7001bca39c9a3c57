/** /account/application: to an application of the organisation, by the address where it begins a sign-in */
import { findInitiation } from '../clients/initiate-login.ts'
import type { App } from '../platform/http/server.ts'
import { continueTo } from './continue-to.ts'
import { pageRoute } from './define-page.ts'
import { home, type PageDependencies, queryOf, viewOf } from './view.ts'

const path = `${home}/application`

export const applicationPath = (clientId: string) => `${path}?${new URLSearchParams({ client_id: clientId })}`

/**
 * Leads only a signed-in user, and only to an address that their own organisation
 * has registered: a link of ours that led elsewhere would serve a phisher.
 */
export const applicationPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, publicUrl } = dependencies

  app.get(path, pageRoute, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const clientId = queryOf(request, 'client_id') ?? ''
    const back = view.returningTo(applicationPath(clientId))
    const { browserSession } = request
    if (!browserSession) return continueTo(reply, view.language, back.to('/login'))
    if (browserSession.awaitsMfaEnrolment) return continueTo(reply, view.language, back.to('/mfa/enroll'))
    const { organisationId, email } = browserSession.caller
    const address = await findInitiation(database, publicUrl, { organisationId, clientId, email })
    return continueTo(reply, view.language, address ?? home)
  })
}
