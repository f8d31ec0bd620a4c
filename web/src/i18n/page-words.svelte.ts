import type { I18n, Language } from './i18n.svelte.ts';

type Dictionaries<Words> = Readonly<Record<Exclude<Language, 'en'>, () => Promise<Words>>>;

/** Words that only some pages need: English comes with the page, the others are fetched by those who speak them. */
export function pageWords<Words>(i18n: I18n, english: Words, others: Dictionaries<Words>) {
  let t = $state.raw(english);
  $effect(() => {
    const { language } = i18n;
    let isOver = false;
    void (language === 'en' ? Promise.resolve(english) : others[language]()).then(
      (words) => {
        if (!isOver) t = words;
      },
      // English is better than nothing.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  });
  return {
    get t() {
      return t;
    },
  };
}
