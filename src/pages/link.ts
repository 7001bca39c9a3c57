/** /link: links an account at an identity provider to a user once they have signed in as they usually do */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { originOf, type PageRequest } from '../access/caller.ts'
import { type Confirmation, confirmLink, getConfirmation, type PendingKey } from '../connections/federation/confirm.ts'
import { federatedSignInExpired } from '../connections/federation/refusals.ts'
import { type Asked, requestLifetimeSeconds } from '../connections/federation/start.ts'
import { html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { continueTo } from './continue-to.ts'
import { definePage, type Visit } from './define-page.ts'
import { browserOf, setBrowserCookie } from './federation-browser.ts'
import type { FormState } from './form-state.ts'
import { formPage } from './forms.ts'
import { heading, type Page } from './layout.ts'
import { definePageCookie } from './page-cookie.ts'
import { inLanguage } from './return-to.ts'
import { type PageDependencies, viewOf } from './view.ts'

const path = '/link'
const cookie = definePageCookie({ name: 'svc_link', path, lifetimeSeconds: requestLifetimeSeconds })

interface LinkVisit extends Visit {
  key: PendingKey
  asked: Confirmation
}

export const linkPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path,
    visit: async (request, reply): Promise<LinkVisit> => {
      const key = keyOf(dependencies, request)
      const asked = await getConfirmation(dependencies, key, request.browserSession?.caller)
      const view = (await viewOf(dependencies, request, reply, asked.organisationId)).returningTo(path)
      return { request, reply, view, key, asked }
    },
    show,
    input: z.object({}),
    operation: ({ request, view, key }) => {
      const { browserSession } = request
      if (!browserSession) throw federatedSignInExpired()
      return confirmLink(dependencies, key, browserSession.caller, { origin: originOf(request), language: view.language })
    },
    done: ({ reply, view }, returnTo) => {
      cookie.clear(reply, dependencies.secureCookie)
      return continueTo(reply, view.language, returnTo)
    },
  })
}

function show({ view, asked }: LinkVisit, form: FormState): Page {
  const { link: texts } = view.texts
  const { connectionName, email = '', isProven } = asked
  if (isProven) {
    return formPage(view, form, {
      title: texts.title,
      lead: texts.confirm(connectionName, email),
      action: view.onward,
      fields: [],
      submit: texts.submit,
      after: html`<p class="after"><a href="${asked.returnTo}">${texts.notNow}</a></p>`,
    })
  }
  const signIn = view.to('/login', { login_hint: email, prompt: 'login' })
  return {
    status: form.status,
    title: texts.title,
    body: html`
      ${heading(texts.title, texts.signInFirst(connectionName, email))}
      <p class="next"><a class="button" href="${signIn}">${texts.signIn}</a></p>`,
  }
}

/**
 * Sends the browser to the page. One cookie holds the state of the sign-in; the other, which was set when it began, has to last as long as that waits.
 */
export function askToLink(
  reply: FastifyReply,
  { connectionId, state, browser, asked }: { connectionId: string; state: string; browser: string | undefined; asked: Asked },
  secure: boolean,
): FastifyReply {
  if (browser !== undefined) setBrowserCookie(reply, browser, secure)
  cookie.set(reply, `${connectionId}.${state}`, secure)
  return reply.redirect(inLanguage(path, asked.uiLocales), 303)
}

/** @throws Problem `bad-request` */
function keyOf(dependencies: PageDependencies, request: FastifyRequest & PageRequest): PendingKey {
  const [, connectionId, state] = /^(\w+)\.([\w-]{43})$/.exec(cookie.read(request, dependencies.secureCookie) ?? '') ?? []
  if (connectionId === undefined || state === undefined) throw federatedSignInExpired()
  return { connectionId, state, browser: browserOf(request, dependencies.secureCookie) }
}
