/** What this browser can do with a voice: some can do neither. What does it is fetched by those who can. */
export const canReadAloud = 'speechSynthesis' in globalThis;
export const canDictate = 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis;
