interface Heard {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
  readonly resultIndex: number;
}

/** As much of the Web Speech API as is needed; no browser's types have it. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: Heard) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
}

type RecognitionClass = new () => Recognition;

const recognition = (): RecognitionClass | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition;
};

interface Listening {
  readonly language: string;
  readonly heard: (words: string) => void;
  /** With the browser's word for what went wrong, if something did. */
  readonly ended: (error: string | undefined) => void;
}

/** Listens until it is told to stop, or nobody says anything any more. */
export function listen({ language, heard, ended }: Listening): { stop(): void } | undefined {
  const Recogniser = recognition();
  if (!Recogniser) return undefined;
  const recogniser = new Recogniser();
  let error: string | undefined;
  recogniser.lang = language;
  recogniser.continuous = true;
  recogniser.interimResults = false;
  recogniser.onresult = ({ results, resultIndex }) => {
    const fresh = Array.from(results).slice(resultIndex);
    const words = fresh.filter(({ isFinal }) => isFinal).map((each) => each[0]?.transcript.trim() ?? '');
    if (words.length > 0) heard(words.join(' '));
  };
  recogniser.onerror = (event) => {
    error = event.error;
  };
  recogniser.onend = () => {
    ended(error);
  };
  recogniser.start();
  return recogniser;
}
