/** The hosted pages, each at its own path. */
import formbody from '@fastify/formbody'
import type { FastifyError } from 'fastify'
import { AuthorizationPageError } from '../oauth/protocol/errors.ts'
import { showRefusal } from '../oauth/protocol/write-refusals.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import type { App } from '../platform/http/server.ts'
import { acceptInvitationPage } from './accept-invitation.ts'
import { accountPage } from './account.ts'
import { accountChangePages } from './account-changes.ts'
import { accountIdentitiesPage } from './account-identities.ts'
import { accountPasskeysPage } from './account-passkeys.ts'
import { applicationPage } from './application.ts'
import { assetRoutes } from './assets.ts'
import { connectionTestPage } from './connection-test.ts'
import { consentPage } from './consent.ts'
import { devicePages } from './device.ts'
import { emailCodePage } from './email-code.ts'
import { enrolmentPage } from './enrolment.ts'
import { sendErrorPage } from './error-page.ts'
import { federationPages } from './federation.ts'
import { forgotPasswordPage } from './forgot-password.ts'
import { landingPage } from './landing.ts'
import { linkPage } from './link.ts'
import { loggedOutPage } from './logged-out.ts'
import { loginPage } from './login.ts'
import { loginPreviewPage } from './login-preview.ts'
import { oauthPages } from './oauth-pages.ts'
import { passkeyOfferPage } from './passkey-offer.ts'
import { reauthenticationPage } from './reauthenticate.ts'
import { resetPasswordPage } from './reset-password.ts'
import { samlLogoutPages } from './saml-logout.ts'
import { secondFactorPage } from './second-factor.ts'
import { setupPage } from './setup.ts'
import { setupConnectionPage } from './setup-connection.ts'
import { setupDirectoryPage } from './setup-directory.ts'
import { setupDomainPage } from './setup-domain.ts'
import { ssoPage } from './sso.ts'
import { verifyEmailPage } from './verify-email.ts'
import type { PageDependencies } from './view.ts'

const formBytesMax = 64 * 1024

export const pageRoutes = defineRoutes('', async (app, dependencies: PageDependencies) => {
  const authorization = { store: dependencies, showPage: oauthPages(dependencies).error, endpoint: 'authorize' } as const
  await app.register(assetRoutes)
  await app.register(async (pages: App) => {
    pages.removeAllContentTypeParsers()
    await pages.register(formbody, { bodyLimit: formBytesMax })
    pages.setErrorHandler(async (error: FastifyError, request, reply) => {
      // The consent page throws it, and belongs to an authorization request.
      if (error instanceof AuthorizationPageError) return showRefusal(authorization, request, reply, error)
      return sendErrorPage(dependencies, request, reply, error)
    })
    for (const page of [
      landingPage,
      loginPage,
      loginPreviewPage,
      emailCodePage,
      ssoPage,
      federationPages,
      samlLogoutPages,
      connectionTestPage,
      linkPage,
      secondFactorPage,
      passkeyOfferPage,
      reauthenticationPage,
      enrolmentPage,
      forgotPasswordPage,
      resetPasswordPage,
      acceptInvitationPage,
      verifyEmailPage,
      consentPage,
      devicePages,
      loggedOutPage,
      accountPage,
      applicationPage,
      accountChangePages,
      accountPasskeysPage,
      accountIdentitiesPage,
      setupPage,
      setupDomainPage,
      setupConnectionPage,
      setupDirectoryPage,
    ]) {
      await pages.register(page(dependencies))
    }
  })
})
