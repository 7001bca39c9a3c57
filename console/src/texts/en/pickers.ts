export default {
  firstOfMore: (count: number) => `The first ${count}. Type to find others.`,
}
