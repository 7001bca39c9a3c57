import { newDestinations } from './destinations.ts'
import type { NewHostProps } from './new-host.tsx'
import { useQuestion } from './use-question.tsx'

/** Asks before the registration of addresses with a host that no address of the application has had. */
export function useHostQuestion() {
  const { ask, question } = useQuestion()
  return {
    /** @returns whether to continue: at once when all hosts are known */
    askAboutHosts: async ({
      field,
      application,
      uris,
      known,
    }: Omit<NewHostProps, 'host'> & Record<'uris' | 'known', readonly string[]>) => {
      for (const host of newDestinations(uris, known)) {
        // Few changes ask.
        const [{ NewHost }, { questionsTexts: t }] = await Promise.all([import('./new-host.tsx'), import('../texts/questions.ts')])
        const isWanted = await ask({
          title: t.newHostQuestion(application),
          body: <NewHost {...{ host, field, application }} />,
          action: t.addHost(host),
          danger: true,
          typeToConfirm: host,
        })
        if (!isWanted) return false
      }
      return true
    },
    question,
  }
}
