/** /setup: what a set-up link is for, step by step, without an account */
import { z } from 'zod'
import { originOf } from '../access/caller.ts'
import { publicAccess } from '../access/declarations.ts'
import { token } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { finishWhenFulfilled } from '../setup-links/finish.ts'
import { openSetupLink } from '../setup-links/open-setup-link.ts'
import { progressOf, readMadeBy } from '../setup-links/progress.ts'
import { readGivenNames } from '../setup-links/read-given-names.ts'
import { type SetupProgress, setupSteps } from '../setup-links/rules.ts'
import { defineForm, pageRoute, type Visit } from './define-page.ts'
import { emptyForm } from './form-state.ts'
import { formTo } from './forms.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { decidedBy } from './setup-decided.ts'
import { directoryProgress } from './setup-directory.ts'
import {
  askForLink,
  countSetupRequest,
  type SetupPageVisit,
  setupCookie,
  setupViewOf,
  setupVisit,
  setupVisitOrClosed,
} from './setup-visit.ts'
import { textWith, timeIn } from './times.ts'
import { type PageDependencies, queryOf, type View } from './view.ts'

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
    const visit = await setupVisitOrClosed(dependencies, request, reply)
    if (!('setup' in visit)) return sendPage(reply, visit.view, visit.page)
    return sendPage(reply, visit.view, await overviewOf(visit))
  })

  // Whether anything has changed, for the script.
  app.get(`${setupPath}/progress`, { config: { access: publicAccess() }, schema: { hide: true } }, async (request, reply) => {
    const { setup } = await setupVisit(dependencies, request, reply)
    const finished = setup.stands === true ? await finishWhenFulfilled(dependencies, setup.caller) : undefined
    const link = finished ?? setup.link
    const made = await readMadeBy(database, link)
    const progress = queryOf(request, 'of') === 'directory' ? directoryProgress(made) : progressText(link, made)
    return reply.type('application/json').serializer(JSON.stringify).send({ progress })
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

  async function overviewOf(visit: SetupPageVisit): Promise<Page> {
    const { setup, view } = visit
    const finished = setup.stands === true ? await finishWhenFulfilled(dependencies, setup.caller) : setup.link
    const { setup: texts } = view.texts
    if (finished) {
      const lead = finished.activatedAt ? texts.finishedActive : texts.finishedPending(view.brand?.name ?? view.texts.product)
      return { title: texts.finishedTitle, setup: true, body: html`${heading(texts.finishedTitle, lead)}${openAnother(view)}` }
    }
    const { link } = setup
    const made = await readMadeBy(database, link)
    return {
      title: texts.title,
      setup: true,
      body: html`
        ${heading(texts.title, texts.lead(link.name))}
        <ol class="steps" data-progress="${progressText(link, made)}">${stepsOf(view, progressOf(link, made))}</ol>
        ${decidedBy(view, link, await readGivenNames(database, link))}
        <p class="after">${textWith(texts.expires, timeIn(view, link.expiresAt))}</p>
        ${openAnother(view)}`,
    }
  }
}

type ShownMade = Awaited<ReturnType<typeof readMadeBy>>

const progressText = (link: SetupPageVisit['setup']['link'], made: ShownMade): string =>
  JSON.stringify([link.finishedAt !== null, progressOf(link, made), directoryProgress(made)])

function stepsOf(view: View, progress: SetupProgress): Html[] {
  const { setup: texts } = view.texts
  return setupSteps
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

/** Another link that is opened in this browser takes the place of this one. */
const openAnother = (view: View) =>
  formTo(view, view.to(setupPath), html`<input type="hidden" name="token" value="">`, { attributes: html` data-token hidden` })
