/** /setup/directory: has the directory of a set-up link provision users */
import { z } from 'zod'
import { readLastError } from '../directories/last-error.ts'
import { latestToken } from '../directories/tokens.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { readMadeBy } from '../setup-links/progress.ts'
import { beginDirectory } from '../setup-links/set-up.ts'
import { definePage } from './define-page.ts'
import { button, hidden, quietButton } from './fields.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { errorSummary, formTo, successNotice } from './forms.ts'
import { type Page, sendPage } from './layout.ts'
import { setupStepPage } from './setup-step.ts'
import { shownValues } from './setup-values.ts'
import { openSetupVisit } from './setup-visit.ts'
import type { PageDependencies, View } from './view.ts'

const path = `${setupPath}/directory`

export const setupDirectoryPage = (dependencies: PageDependencies) => async (app: App) => {
  const { database, publicUrl } = dependencies
  definePage(app, dependencies, {
    path,
    visit: (request, reply) => openSetupVisit(dependencies, request, reply, 'directory'),
    show: async ({ view, setup }, form) => pageOf(view, publicUrl, await readMadeBy(database, setup.link), form),
    input: z.object({ action: z.literal('begin'), replaces: z.string().default('') }),
    operation: ({ setup }, { replaces }) => beginDirectory(dependencies, setup, replaces),
    // The response itself: the token is stored nowhere.
    done: async ({ view, reply, setup }, { directoryId, token }) =>
      sendPage(reply, view, pageOf(view, publicUrl, await readMadeBy(database, { ...setup.link, directoryId }), emptyForm(), token)),
  })
}

type Made = Awaited<ReturnType<typeof readMadeBy>>

/** What the page shows of the requests of the directory, for the script that shows it anew. */
export const directoryProgress = ({ directory: made }: Pick<Made, 'directory'>): string =>
  JSON.stringify([made?.directory.lastSuccessAt != null, made?.directory.lastError ?? null])

function pageOf(view: View, publicUrl: string, { directory: made }: Made, form: FormState, token?: string): Page {
  const { directory: texts } = view.texts.setup
  return setupStepPage(view, form, {
    texts,
    notice: errorSummary(view, form),
    content: made ? valuesOf() : begin(button(texts.begin)),
  })

  function begin(submit: Html): Html {
    return formTo(view, view.to(path), html`${hidden('action', 'begin')}${hidden('replaces', latestToken(made?.tokens))}${submit}`)
  }

  function valuesOf(): Html | undefined {
    if (!made) return undefined
    const { id, lastSuccessAt } = made.directory
    const lastError = readLastError(made.directory.lastError)
    return html`
      <h2>${texts.ours}</h2>
      ${shownValues(view, { [texts.baseUrl]: `${publicUrl}/scim/v2/${id}`, ...(token !== undefined && { [texts.token]: token }) })}
      <p>${token === undefined ? texts.tokenGone : html`<strong>${texts.tokenOnce}</strong>`}</p>
      ${lastSuccessAt ? successNotice(texts.arrived) : html`<p role="status" data-progress="${directoryProgress({ directory: made })}" data-of="directory">${texts.waiting}</p>`}
      ${!lastSuccessAt && lastError && html`<p>${texts.refused(lastError)}</p>`}
      ${token === undefined && begin(quietButton(texts.newToken))}`
  }
}
