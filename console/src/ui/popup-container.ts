import { createContext, type RefObject, use } from 'react'

type Container = RefObject<HTMLElement | null>

/** The surrounding dialog: its popups are put into it, since the page behind it is inert. */
export const WithinDialog = createContext<Container | undefined>(undefined)

/** A container outside of all others, for popups that belong neither to the page nor to a dialog. */
export const besideAll: Container = {
  get current() {
    return document.body
  },
}

const main = {
  get current() {
    return document.querySelector('main')
  },
}

/** The container of popups: the dialog or the main landmark that they belong to, so that they are not outside all landmarks. */
export const usePopupContainer = (): Container => use(WithinDialog) ?? main
