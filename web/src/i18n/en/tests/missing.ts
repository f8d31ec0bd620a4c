export const missing = { lead: 'Tests that name something that is not here' };
