/** For the attribute `lang`: the language of a text that has one. */
export const onlyOf = (languages: readonly string[]) =>
  languages.length === 1 ? languages[0] : undefined;
