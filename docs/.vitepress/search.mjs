// boostDocument weighs a page of the search index: answers before instructions, and these before the background.
// VitePress writes its text into the page, so it must not use anything from outside.
export function boostDocument(id) {
  if (/\/questions\/[a-z]/.test(id)) return 4
  if (/\/tutorials\//.test(id)) return 1.5
  if (/\/reference\//.test(id)) return 0.5
  return 0.6
}
