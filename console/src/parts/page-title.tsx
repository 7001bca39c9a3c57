import { shellTexts as t } from '../texts/shell.ts'

/** The title of the browser's tab. */
export function PageTitle({ children }: { children: string }) {
  return <title>{t.titleOf(children)}</title>
}
