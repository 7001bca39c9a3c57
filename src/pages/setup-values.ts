import { type Html, html } from '../platform/http/html.ts'
import type { View } from './view.ts'

/** Values that have to be entered elsewhere, each with a button that copies it. */
export const shownValues = ({ texts: { setup } }: View, values: Record<string, string>): Html => html`
  <dl class="values">${Object.entries(values).map(
    ([name, value]) => html`
      <dt>${name}</dt>
      <dd><code>${value}</code> <button class="button quiet small" type="button" data-copies="${value}" data-copied="${setup.copied}" aria-label="${setup.copy}: ${name}" hidden>${setup.copy}</button></dd>`,
  )}</dl>`
