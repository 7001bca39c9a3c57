import { createStore } from '../base/store.ts'

const store = createStore(false)

/** Whether the user follows the first steps in this tab. */
export const following = {
  isOn: store.get,
  begin: () => store.set(true),
  end: () => store.set(false),
  subscribe: store.subscribe,
}
