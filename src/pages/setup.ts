/** /setup: what a set-up link is for, step by step, without an account */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { originOf, type PageRequest } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import { token } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { finishWhenFulfilled } from '../setup-links/finish.ts'
import { openSetupLink } from '../setup-links/open-setup-link.ts'
import { progressOf, readMadeBy } from '../setup-links/progress.ts'
import { invalidSetupLink } from '../setup-links/refusals.ts'
import type { SetupProgress } from '../setup-links/rules.ts'
import { defineForm, pageRoute, type Visit } from './define-page.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { formPage, formTo } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { messagesOf } from './messages.ts'
import { decidedBy } from './setup-decided.ts'
import { countSetupRequest, type SetupPageVisit, setupCookie, setupViewOf, setupVisit } from './setup-visit.ts'
import { textWith, timeIn } from './times.ts'
import type { PageDependencies, View } from './view.ts'

/** The link itself may be pasted, or the secret in it. */
const Opened = z.object({ token: token().transform((text) => text.slice(text.lastIndexOf('#') + 1).trim()) })

export const setupPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, secureCookie } = dependencies

  app.get(setupPath, pageRoute, async (request, reply) => {
    if (setupCookie.read(request, secureCookie) === undefined) {
      await countSetupRequest(dependencies, request)
      const view = await setupViewOf(dependencies, request, reply)
      return sendPage(reply, view, askForLink(view, emptyForm()))
    }
    const visit = await setupVisit(dependencies, request, reply).catch((error) => refused(request, reply, error))
    if (!('setup' in visit)) return sendPage(reply, visit.view, visit.page)
    return sendPage(reply, visit.view, await overviewOf(visit))
  })

  // Whether anything has changed, for the script.
  app.get(`${setupPath}/progress`, { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const { setup } = await setupVisit(dependencies, request, reply)
    const finished = setup.stands === true ? await finishWhenFulfilled(dependencies, setup.caller) : undefined
    const link = finished ?? setup.link
    return reply
      .type('application/json')
      .serializer(JSON.stringify)
      .send({ progress: await progressText(link) })
  })

  defineForm(app, dependencies, {
    path: setupPath,
    visit: async (request, reply): Promise<Visit> => {
      await countSetupRequest(dependencies, request)
      return { request, reply, view: await setupViewOf(dependencies, request, reply) }
    },
    show: ({ view }, form) => askForLink(view, form),
    input: Opened,
    operation: ({ request }, opened) => openSetupLink(dependencies, opened.token, originOf(request)),
    done: ({ reply, view }, visit) => {
      setupCookie.set(reply, visit, secureCookie)
      return reply.redirect(view.to(setupPath), 303)
    },
  })

  /** The page that asks for the link again, once it no longer works. */
  async function refused(request: PageRequest, reply: FastifyReply, error: unknown): Promise<{ view: View; page: Page }> {
    if (!(error instanceof Problem) || error.code !== invalidSetupLink.code) throw error
    setupCookie.clear(reply, secureCookie)
    const view = await setupViewOf(dependencies, request, reply)
    return { view, page: askForLink(view, { status: 400, values: {}, messages: messagesOf(view.texts, error, {}) }) }
  }

  async function overviewOf(visit: SetupPageVisit): Promise<Page> {
    const { setup, view } = visit
    const finished = setup.stands === true ? await finishWhenFulfilled(dependencies, setup.caller) : setup.link
    const { setup: texts } = view.texts
    if (finished) {
      const lead = finished.activatedAt ? texts.finishedActive : texts.finishedPending(view.brand?.name ?? view.texts.product)
      return { title: texts.finishedTitle, setup: true, body: html`${heading(texts.finishedTitle, lead)}${openAnother(view)}` }
    }
    const { link } = setup
    return {
      title: texts.title,
      setup: true,
      body: html`
        ${heading(texts.title, texts.lead(link.name))}
        <ol class="steps" data-progress="${await progressText(link)}">${stepsOf(view, progressOf(link, await readMadeBy(database, link)))}</ol>
        ${decidedBy(view, link)}
        <p class="after">${textWith(texts.expires, timeIn(view, link.expiresAt))}</p>
        ${openAnother(view)}`,
    }
  }

  const progressText = async (link: SetupPageVisit['setup']['link']) => {
    const made = await readMadeBy(database, link)
    return JSON.stringify([link.finishedAt !== null, progressOf(link, made), made.directory?.directory.lastError ?? null])
  }
}

type Step = keyof SetupProgress

const steps: readonly Step[] = ['domain', 'connection', 'directory']

function stepsOf(view: View, progress: SetupProgress): Html[] {
  const { setup: texts } = view.texts
  return steps
    .filter((step) => progress[step] !== undefined)
    .map((step) => {
      const { title, lead } = texts[step]
      const isDone = progress[step] === true
      return html`
        <li>
          <h2>${title}</h2>
          <p class="lead">${lead}</p>
          <p><strong>${isDone ? texts.done : texts.toDo}</strong> · <a href="${view.to(`${setupPath}/${step}`)}" aria-label="${title}: ${isDone ? texts.look : texts.continueStep}">${isDone ? texts.look : texts.continueStep}</a></p>
        </li>`
    })
}

function askForLink(view: View, form: FormState): Page {
  const { setup: texts } = view.texts
  const page = formPage(
    view,
    { ...form, values: {} },
    {
      title: texts.title,
      lead: texts.openLead,
      action: view.to(setupPath),
      fields: [{ name: 'token', label: texts.link, type: 'password', autocomplete: 'off' }],
      submit: texts.open,
      attributes: html` data-token`,
    },
  )
  return { ...page, setup: true }
}

/** Another link that is opened in this browser takes the place of this one. */
const openAnother = (view: View) =>
  formTo(view, view.to(setupPath), html`<input type="hidden" name="token" value="">`, { attributes: html` data-token hidden` })
