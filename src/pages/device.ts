/** /device (RFC 8628 §3.3): the code that a device shows, then the sign-in, then whether the application on the device gets access */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { BrowserSession, PageRequest } from '../access/caller.ts'
import type { AssuranceLevel } from '../access/factors.ts'
import type { AutomaticClient } from '../automatic-clients/automatic-client.ts'
import { pageOfProof } from '../oauth/authorization/authorize.ts'
import { findSameClient } from '../oauth/authorization/automatic-devices.ts'
import { refreshSecondsOf } from '../oauth/authorization/automatic-on-page.ts'
import { ConsentDecision } from '../oauth/authorization/consent-lifetimes.ts'
import { type ConsentRequest, describeResources } from '../oauth/authorization/consent-request.ts'
import {
  decideDeviceRequest,
  enterUserCode,
  findDeviceRequest,
  findStepOfDevice,
  type PendingDeviceRequest,
} from '../oauth/authorization/device-requests.ts'
import { deviceOfAnotherOrganisation, deviceRequestOver } from '../oauth/authorization/refusals.ts'
import { ownScopes } from '../oauth/protocol/resources.ts'
import { callerAddress } from '../platform/http/addresses.ts'
import { plainText } from '../platform/http/fields.ts'
import { html } from '../platform/http/html.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import type { App } from '../platform/http/server.ts'
import { fullSessionOf } from './account-visit.ts'
import { accessFor, askedFor, lifetimeField, vouchedFor } from './consent.ts'
import { definePage, type Visit } from './define-page.ts'
import { deviceCookie, devicePath } from './device-cookie.ts'
import { details } from './error-page.ts'
import { hidden } from './fields.ts'
import type { FormState } from './form-state.ts'
import { formCookieOf } from './form-token.ts'
import { formPage } from './forms.ts'
import { heading, initialOf, type Page, sendPage } from './layout.ts'
import { refusalText } from './messages.ts'
import { timeIn } from './times.ts'
import { comingBackTo, type PageDependencies, queryOf, type View, viewOf } from './view.ts'

const path = '/device'

/** A view of the steps that lead back to the decision. */
const leadingBack = (view: View) => view.returningTo(view.to(devicePath))
const signInAnew = (view: View) => leadingBack(view).to('/login', { prompt: 'login' })
const proving = (view: View, step: Parameters<typeof pageOfProof>[0]) => {
  const page = pageOfProof(step)
  return leadingBack(view).to(page.path, page.query)
}

const Code = z.object({ userCode: plainText().min(1).max(50) })
const Decision = ConsentDecision.extend({ request: z.string() })

interface DecisionVisit extends Visit {
  browserSession: BrowserSession
  asked: PendingDeviceRequest
  level: AssuranceLevel | undefined
  resources: ConsentRequest['resources']
  /** As it describes itself, if it has introduced itself. */
  automatic: AutomaticClient | undefined
}

export const devicePages = (dependencies: PageDependencies) => async (app: App) => {
  const { database, secureCookie, oauthExtensions, automaticClients } = dependencies
  const isOffered = oauthExtensions.has('device')

  definePage(app, dependencies, {
    path,
    visit: async (request, reply): Promise<Visit> => {
      if (!isOffered) throw noSuchAddress()
      return { request, reply, view: await viewOf(dependencies, request, reply) }
    },
    values: ({ request }) => ({ userCode: queryOf(request, 'user_code') ?? '' }),
    show: codeForm,
    input: Code,
    operation: ({ request }, { userCode }) => {
      const { browserSession } = request
      const browser = browserSession?.caller.session.id ?? formCookieOf(request, secureCookie) ?? ''
      return enterUserCode(dependencies, { browser, address: callerAddress(request) }, userCode)
    },
    done: ({ reply, view }, { reference }) => deviceCookie.set(reply, reference, secureCookie).redirect(view.to(devicePath), 303),
  })

  const visit = async (request: PageRequest, reply: FastifyReply): Promise<DecisionVisit | undefined> => {
    if (!isOffered) throw noSuchAddress()
    const view = await viewOf(dependencies, request, reply)
    const reference = deviceCookie.read(request, secureCookie)
    const asked = reference === undefined ? undefined : await findDeviceRequest(database, reference)
    const automatic = asked?.automaticClient ? await findSameClient(automaticClients, asked.automaticClient) : undefined
    // It is not what it was when the device asked.
    const hasChanged = asked?.automaticClient && !automatic
    if (!asked || hasChanged) {
      reply.redirect(view.to(path, { notice: 'expired' }), 303)
      return undefined
    }
    const browserSession = fullSessionOf(request, reply, comingBackTo(request, devicePath))
    if (!browserSession) return undefined
    const step = await findStepOfDevice(dependencies, browserSession, asked)
    if (step && step.kind !== 'ask') {
      reply.redirect(step.kind === 'sign-in' ? signInAnew(view) : proving(view, step), 303)
      return undefined
    }
    const resources = await describeResources(database.tenant(asked.organisationId), asked.resources)
    return { request, reply, view, browserSession, asked, level: step?.level, resources, automatic }
  }

  definePage(app, dependencies, {
    path: devicePath,
    visit,
    show: question,
    input: Decision,
    async operation({ browserSession, asked, level }, { request, ...decided }) {
      // The user may have entered the code of another device in a second window: what they decide on is what this page has shown.
      if (request !== asked.reference) throw deviceRequestOver()
      await decideDeviceRequest(dependencies, browserSession, asked, decided, level)
      return decided.decision
    },
    done({ reply, view, asked }, decision) {
      const texts = view.texts.device
      deviceCookie.clear(reply, secureCookie)
      const [title, lead] = decision === 'allow' ? [texts.allowedTitle, texts.allowed] : [texts.cancelledTitle, texts.cancelled]
      return sendPage(reply, view, { title, body: heading(title, lead(asked.clientName)) })
    },
  })
}

function codeForm({ request, view }: Visit, form: FormState): Page {
  const texts = view.texts.device
  const isFilledIn = form.messages.length === 0 && (form.values.userCode ?? '') !== ''
  return formPage(view, form, {
    title: texts.title,
    lead: isFilledIn ? texts.compare : texts.lead,
    notice: queryOf(request, 'notice') === 'expired' && html`<div class="notice problem" role="alert"><p>${texts.expired}</p></div>`,
    action: view.to(path),
    fields: [{ name: 'userCode', label: texts.userCode, autocomplete: 'off', className: 'code', hint: texts.userCodeHint, first: true }],
    submit: view.texts.continue,
  })
}

function question({ view, browserSession, asked, resources, automatic }: DecisionVisit, form: FormState): Page {
  const { device: texts, consent } = view.texts
  const { caller } = browserSession
  const { clientName, scope, organisationName, ipAddress, userAgent, createdAt, reference } = asked
  const application = automatic ?? { origin: asked.clientOrigin, grantTypes: asked.clientGrantTypes }
  if (asked.organisationId !== caller.organisationId) {
    const lead = refusalText(view.texts, { code: deviceOfAnotherOrganisation.code })
    return {
      status: 403,
      title: texts.foreignTitle,
      body: html`
        ${heading(texts.foreignTitle, lead)}
        <p class="next"><a class="button" href="${signInAnew(view)}">${view.texts.otherAccount}</a></p>`,
    }
  }
  const asksFor = scope.length > 0 || resources.length > 0
  const logoUrl = view.pictureAt(automatic ? automatic.logoUrl : asked.clientLogoUrl)
  const picture = logoUrl
    ? html`<img src="${logoUrl}" alt="">`
    : html`<span class="mark" aria-hidden="true">${initialOf(clientName)}</span>`
  return formPage(view, form, {
    title: texts.question(clientName),
    lead: asksFor ? consent.lead : undefined,
    images: [logoUrl],
    above: html`<div class="application">${picture}</div>${automatic && vouchedFor(view, automatic)}`,
    introduction: html`
      ${asksFor && askedFor(view, { scopes: ownScopes(scope, asked.resources), claims: [], resources })}
      ${details({
        [texts.organisation]: organisationName,
        [texts.askedAt]: timeIn(view, createdAt),
        [texts.askedFrom]: ipAddress,
        [texts.askedBy]: userAgent === '' ? texts.unknownProgram : userAgent,
        ...accessFor(view, asked.allowsRefresh === false ? undefined : refreshSecondsOf(application, asked)),
      })}
      <div class="notice problem"><p>${texts.warning}</p></div>`,
    action: view.to(devicePath),
    fields: [hidden('request', reference), lifetimeField(view, form)],
    submit: html`
      <div class="buttons">
        <button class="button quiet" type="submit" name="decision" value="cancel">${view.texts.cancel}</button>
        <button class="button" type="submit" name="decision" value="allow">${consent.allow}</button>
      </div>`,
    after: html`
      <p class="aside">${consent.signedIn} <strong>${caller.email}</strong>. <a href="${signInAnew(view)}">${view.texts.otherAccount}</a></p>
      <p class="hint aside">${consent.note(organisationName)}</p>`,
  })
}
