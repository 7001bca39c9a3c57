/** The button of the menu whose entry was chosen last. */
let button: HTMLElement | undefined

export function chooseFrom(menuButton: HTMLElement | null): void {
  button = menuButton ?? undefined
}

/** The button of the menu whose entry opens what asks, once: the next to ask has been opened by something else. */
export function takeMenuButton(): HTMLElement | undefined {
  const taken = button
  button = undefined
  return taken
}
