export const bounds = {
  attachments: 'Files in questions',
  attachmentsHint:
    'People may send PDF, Word and other files along with a question. Their text is read for this conversation alone.',
  attachmentsTokens: 'How much of the files is read',
  attachmentsTokensHint:
    'In tokens, for all files of a conversation together; a page has some 500. What is longer is cut, and the model is told so.',
  remember: 'Remember what tools brought',
  rememberHint:
    'In later turns of a conversation the model sees again what its tools found earlier, without a new call. That makes its prompts longer.',
  rememberTokens: 'How much is remembered',
  rememberTokensHint: 'In tokens. The newest comes first.',
  outside: (least: string, most: string) => `Between ${least} and ${most}.`,
};
