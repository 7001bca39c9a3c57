import { createStore } from '../base/store.ts'

/** The number of calls that were refused for want of a permission: the permissions that the page knows may be outdated. */
export const refused = createStore(0)
