/** /login/preview: the sign-in page with other branding, to look at before the branding is saved */
import { z } from 'zod'
import { missingPermission } from '../access/refusals.ts'
import { BrandingSetting } from '../organisations/schemas.ts'
import { findOrganisationBranding } from '../organisations/show-branding.ts'
import type { App } from '../platform/http/server.ts'
import { parseInput } from '../platform/http/validation.ts'
import { languages } from '../platform/language.ts'
import { fullSessionOf } from './account-visit.ts'
import { brandOf } from './branding.ts'
import { pageRoute } from './define-page.ts'
import { emptyForm } from './form-state.ts'
import { catalogues } from './language.ts'
import { sendPage } from './layout.ts'
import { inertPasskeyButton, signInForm } from './login.ts'
import { arePasskeysPossible } from './passkey-form.ts'
import { parseReturnTo } from './return-to.ts'
import { schemes } from './stylesheet.ts'
import { home, type PageDependencies, queryOf, viewOf } from './view.ts'

const permission = 'organisation:update'

const Draft = z.object({
  ...BrandingSetting.pick({ logoUrl: true, faviconUrl: true, primaryColor: true }).shape,
  lang: z.enum(languages).optional(),
  scheme: z.enum(schemes).optional(),
})

/**
 * Shown only to users who may save the branding: an attacker could otherwise send other people a link to a page of ours with a picture and
 * a colour of the attacker's choice.
 */
export const loginPreviewPage = (dependencies: PageDependencies) => async (app: App) => {
  app.get('/login/preview', pageRoute, async (request, reply) => {
    const session = fullSessionOf(request, reply, parseReturnTo(request.url) ?? home)
    if (!session) return reply
    const { organisationId, permissions } = session.caller
    if (!permissions.has(permission)) throw missingPermission(permission)
    const sent = Object.keys(Draft.shape).map((name) => [name, queryOf(request, name)])
    const { lang, scheme, ...branding } = parseInput(Draft, Object.fromEntries(sent))
    const view = await viewOf(dependencies, request, reply, organisationId)
    const language = lang ?? view.language
    const found = await findOrganisationBranding(dependencies.database, organisationId)
    const brand = found && brandOf({ name: found.name, branding }, dependencies.allowLoopbackPictures)
    const preview = { ...view, language, texts: catalogues[language], brand, application: undefined }
    const content = {
      ...{ isPreview: true, takesFocus: false, isAddressAlone: view.isIdentifierFirst, offersEmailCode: view.allowsEmailCodes },
      ...(arePasskeysPossible(dependencies) && view.allowsPasskeys && { byPasskey: inertPasskeyButton(preview) }),
    }
    return sendPage(reply, preview, { ...signInForm(preview, emptyForm(), content), preview: { scheme } })
  })
}
