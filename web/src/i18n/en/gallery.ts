/** Fetched with the pages that speak of templates and drafts, by nobody else. */
export const gallery = {
  title: 'New assistant',
  lead: 'Begin with one that works, and make it yours. Nothing is saved until you say so.',
  describe: {
    title: 'Describe what you want',
    label: 'What should your assistant do, and for whom?',
    example:
      'Helps first-year nursing students practise drug calculations, step by step, without giving the result.',
    submit: 'Draft it',
    busy: 'Your assistant is being written. This can take a minute.',
    noModel:
      'A language model could draft an assistant from your words here. Ask an administrator to set one up.',
  },
  templates: 'Templates',
  language: 'Language of the templates',
  origins: {
    organization: 'From your organisation',
    catalogue: 'From other organisations',
    built_in: 'Ready to use',
  },
  from: (organization: string) => `From ${organization}`,
  material: { needed: 'Your material', helpful: 'Your material, if you like', none: '' },
  rubric: 'With a rubric',
  sharedBadge: 'Shared with others',
  actions: (name: string) => `More for the template ${name}`,
  share: 'Share with other organisations',
  unshare: 'Share no longer',
  shared: (name: string) => `“${name}” can be seen by organisations that receive templates.`,
  unshared: (name: string) => `“${name}” is for your organisation alone.`,
  remove: 'Delete the template',
  removed: (name: string) => `The template “${name}” was deleted.`,
  kept: (name: string) => `“${name}” is now a template of your organisation.`,
  toGallery: 'See it',
  scratch: 'From scratch',
  scratchLead: 'An empty form, for those who know how they want it built.',

  begun: (name: string) => `From the template “${name}”. Change what you like; nothing is saved yet.`,
  described: 'Drafted by a model from your description. Read it before you save it.',
  discard: 'Begin anew',
  addMaterial: {
    title: 'Add your material',
    needed: 'It answers from your documents. Add one or more; you can add others at any time.',
    helpful: 'It can answer from your documents. You can also leave this for later.',
    have: 'Use what I have',
    added: (name: string) => `Your material is kept in “${name}”.`,
    open: 'Open it',
    failed: 'The material was not added.',
    unnamed: 'My material',
  },
  enclosed: {
    title: 'A rubric comes with it',
    lead: 'It is made when you save. Later you can change it, or choose another, like any rubric.',
  },

  tools: {
    presets: {
      simple_rag: {
        course: 'Course material: 5 passages, with quotes',
        sections: 'Close reading: whole sections',
        best: 'Only the best: a model chooses',
      },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    presetsOf: (tool: string) => `Ready-made settings for ${tool}`,
    together: 'Go well together',
    needs: (tool: string, other: string) => `${tool} is of little use without ${other}.`,
    add: (tool: string) => `Add ${tool}`,
  },

  rubricDraft: {
    title: 'Describe what you judge',
    label: 'Which work, at what level, and what matters to you?',
    example:
      'A five-minute oral presentation in secondary school: content, structure, speaking freely, slides.',
    submit: 'Draft it',
    busy: 'Your rubric is being written. This can take a minute.',
  },

  catalogue: {
    title: 'Templates between organisations',
    lead: 'Templates hold prompts, tools and rubrics; never people, documents or keys.',
    label: 'Your organisation',
    choices: {
      off: 'Keeps to its own templates',
      receive: 'Sees what others share',
      share: 'Sees what others share, and may share its own',
    },
    hint: 'Which templates are shared, administrators say in the gallery, one by one.',
  },
};
