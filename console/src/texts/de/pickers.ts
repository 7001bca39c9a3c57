import type en from '../en/pickers.ts'

const de: typeof en = {
  firstOfMore: (count) => `Die ersten ${count}. Andere finden Sie, indem Sie tippen.`,
}

export default de
