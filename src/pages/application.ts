/** /account/application: to an application of the organisation, by the address where it begins a sign-in */
import { page } from '../access/declarations.ts'
import { findInitiation } from '../clients/initiate-login.ts'
import type { App } from '../platform/http/server.ts'
import { goOn } from './forms.ts'
import { home, type PageDependencies, queryOf, viewOf } from './view.ts'

const path = `${home}/application`

export const applicationPath = (clientId: string) => `${path}?${new URLSearchParams({ client_id: clientId })}`

/**
 * Leads nobody but a signed-in user, and only to what their own organisation has registered: a link to us that leads
 * elsewhere would serve whoever wants to look like us.
 */
export const applicationPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, publicUrl } = dependencies

  app.get(path, { config: { access: page() }, schema: { hide: true } }, async (request, reply) => {
    const view = await viewOf(dependencies, request, reply)
    const clientId = queryOf(request, 'client_id') ?? ''
    const back = view.returningTo(applicationPath(clientId))
    const { browserSession } = request
    if (!browserSession) return goOn(reply, view.language, back.to('/login'))
    if (browserSession.awaitsMfaEnrolment) return goOn(reply, view.language, back.to('/mfa/enroll'))
    const { organisationId, email = '' } = browserSession.caller
    const address = await findInitiation(database, publicUrl, { organisationId, clientId, email })
    return goOn(reply, view.language, address ?? home)
  })
}
