import type { ReactNode } from 'react'
import { questionsTexts as t } from '../texts/questions.ts'
import { useQuestion } from './use-question.tsx'

interface Trust {
  /** What gives it. */
  of: keyof typeof t.trust
  /** The name of the record; of a domain, the domain. */
  name: string
  /** The settings that decide how far it goes, in words. */
  decided: ReactNode
  title?: string
  action?: string
}

/** Asks before a change by which others decide who signs in as which user. `shared/trusted-settings.ts` says which changes do. */
export function useTrustQuestion() {
  const { ask, question } = useQuestion()
  return {
    askAboutTrust: ({ of, name, decided, title = t.trustQuestion[of](name), action = t.trustAction[of] }: Trust): Promise<boolean> =>
      ask({
        title,
        body: (
          <>
            <p>{t.trust[of](name)}</p>
            {decided}
          </>
        ),
        action,
        danger: true,
      }),
    question,
  }
}
