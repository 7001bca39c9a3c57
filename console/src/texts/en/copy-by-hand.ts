export default {
  title: 'Copy this by hand',
  hint: 'The browser does not let the page copy. The text is selected: press Ctrl C, or ⌘ C.',
}
