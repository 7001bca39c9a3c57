/** A secret that is stored only until it has been printed. */
export interface UnprintedSecret {
  read(): Promise<string | undefined>
  store(value: string): Promise<void>
  /** At once, so that nothing comes between the printing and this, such as the end of the process. */
  forget(): void
}
