/** Answers read out, and questions said instead of typed. */
export const voice = {
  read: 'Read aloud',
  stopReading: 'Stop reading',
  dictate: 'Dictate',
  dictateHint: 'Dictate: your browser turns speech into text, and may send it to its maker for that',
  stopListening: 'Stop listening',
  listening: 'Listening …',
  failed: 'Nothing could be heard. Allow the microphone in your browser, or type.',
};
