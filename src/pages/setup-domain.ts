/** /setup/domain: verifies the domain of a set-up link */
import { z } from 'zod'
import { recordNotFound } from '../domains/refusals.ts'
import { NewDomain } from '../domains/schemas.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { App } from '../platform/http/server.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import { readMadeBy } from '../setup-links/progress.ts'
import { beginDomain, checkDomain, dropDomain } from '../setup-links/set-up.ts'
import { definePage } from './define-page.ts'
import { button, fieldOf, hidden, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formTo, successNotice } from './forms.ts'
import type { Page } from './layout.ts'
import { setupStepPage } from './setup-step.ts'
import { shownValues } from './setup-values.ts'
import { afterStep, openSetupVisit } from './setup-visit.ts'
import type { PageDependencies, View } from './view.ts'

const path = `${setupPath}/domain`

const Change = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), domain: NewDomain.shape.domain }),
  z.object({ action: z.literal('check') }),
  z.object({ action: z.literal('drop') }),
])

export const setupDomainPage = (dependencies: PageDependencies) => async (app: App) => {
  definePage(app, dependencies, {
    path,
    visit: (request, reply) => openSetupVisit(dependencies, request, reply, 'domain'),
    show: async ({ view, setup }, form) => pageOf(view, await readMadeBy(dependencies.database, setup.link), form),
    input: Change,
    operation: async ({ setup }, change) => {
      if (change.action === 'add') await beginDomain(dependencies, setup, change.domain)
      else if (change.action === 'check') await checkDomain(dependencies, setup)
      else await dropDomain(dependencies, setup)
    },
    done: (visit) => afterStep(dependencies, visit, path),
  })
}

function pageOf(view: View, { shownDomain: domain }: Awaited<ReturnType<typeof readMadeBy>>, form: FormState): Page {
  return setupStepPage(view, form, {
    texts: view.texts.setup.domain,
    notice: errorSummary(view, form, domain ? [] : [nameField(view)]),
    content: domain ? recordOf(view, domain, form) : nameForm(view, form),
  })
}

const nameField = ({ texts: { setup } }: View) => ({
  name: 'domain',
  label: setup.domain.name,
  hint: setup.domain.nameHint,
  autocomplete: 'off',
  first: true,
})

const nameForm = (view: View, form: FormState): Html =>
  formTo(view, view.to(path), html`${hidden('action', 'add')}${fieldOf(form, nameField(view))}${button(view.texts.setup.domain.add)}`)

interface ShownDomain {
  domain: string
  isVerified: boolean
  challenge: { type: string; name: string; value: string }
}

function recordOf(view: View, { domain, isVerified, challenge }: ShownDomain, { refusal }: FormState): Html {
  const { domain: texts } = view.texts.setup
  if (isVerified) return successNotice(texts.verified(domain))
  const answers = refusal?.code === recordNotFound.code ? (refusal.members.answers as { status: string; records: string[] }[]) : []
  return html`
    <p>${texts.record}</p>
    ${shownValues(view, { [texts.type]: challenge.type, [texts.recordName]: challenge.name, [texts.value]: challenge.value })}
    ${
      answers.length > 0 &&
      html`<h2>${texts.answers}</h2><ul>${answers.map(({ status, records }) => html`<li>${status}: ${records.join(', ') || texts.noAnswer}</li>`)}</ul>`
    }
    ${formTo(view, view.to(path), html`${hidden('action', 'check')}${button(texts.check)}`)}
    ${formTo(view, view.to(path), html`${hidden('action', 'drop')}${quietButton(texts.drop)}`)}`
}
