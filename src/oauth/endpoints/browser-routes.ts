/** /oauth2/authorize and /oauth2/logout: endpoints for browsers */
import type { App } from '../../platform/http/server.ts'
import { readForms } from '../protocol/forms.ts'
import { prepareScope } from '../protocol/request-context.ts'
import { refuseWithPages } from '../protocol/write-refusals.ts'
import { type AuthorizeDependencies, authorizeRoutes } from './authorize-routes.ts'
import { type LogoutRouteDependencies, logoutRoutes } from './logout-routes.ts'

export interface BrowserDependencies extends AuthorizeDependencies, LogoutRouteDependencies {}

export const browserRoutes = (dependencies: BrowserDependencies) => async (app: App) => {
  await readForms(app)
  prepareScope(app)
  refuseWithPages(app, dependencies, dependencies.pages.error)
  authorizeRoutes(app, dependencies)
  logoutRoutes(app, dependencies)
}
