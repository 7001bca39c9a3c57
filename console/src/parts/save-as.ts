/** Saves the body of a response as a file. The browser stores it outside of the page's memory. */
export async function saveAs(response: Response, name: string): Promise<void> {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
