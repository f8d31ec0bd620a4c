export const assistants = {};
