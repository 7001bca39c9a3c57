/** A secret that is stored only until it has been printed. */
export interface UnprintedSecret {
  read(): Promise<string | undefined>
  store(value: string): Promise<void>
  /** Forgets the secret at once, so that nothing happens between the printing and this, such as the end of the process. */
  forget(): void
}
