import { type Html, html } from '../platform/http/html.ts'
import { setupPath } from '../setup-links/create-setup-link.ts'
import type { FormState } from './form-state.ts'
import { heading, type Page } from './layout.ts'
import type { View } from './view.ts'

interface SetupStep {
  texts: { title: string; lead: string }
  /** What is wrong with the form, or what has just been done. */
  notice: Html | false | undefined
  content: Html | undefined
}

/** The page of one step of a set-up, with the way back to all of them. */
export const setupStepPage = (view: View, form: FormState, { texts: { title, lead }, notice, content }: SetupStep): Page => ({
  status: form.status,
  title,
  setup: true,
  wide: true,
  hasErrors: form.messages.length > 0,
  body: html`
    ${heading(title, lead)}
    ${notice}
    ${content}
    <p class="after"><a href="${view.to(setupPath)}">${view.texts.setup.back}</a></p>`,
})
