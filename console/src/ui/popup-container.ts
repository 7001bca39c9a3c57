import { createContext, use } from 'react'

/** Whether a dialog, or the region of toasts, is around: what opens within it stays beside it, since the page behind a dialog is inert. */
export const WithinDialog = createContext(false)

const main = {
  get current() {
    return document.querySelector('main')
  },
}

/** Where popups of a page are put: into its main landmark, so that they are not outside all landmarks. */
export const usePopupContainer = () => (use(WithinDialog) ? undefined : main)
