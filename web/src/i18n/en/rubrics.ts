export const rubrics = {};
