import { z } from 'zod';
import { IMAGE_MODELS } from '../src/clients/gemini-images.js';
import { defineTool } from '../src/core/tool.js';

const SHAPES = { square: '1:1', landscape: '3:2', portrait: '2:3', wide: '16:9', tall: '9:16' } as const;

export default defineTool({
  name: 'image_gen',
  title: 'Images',
  description: 'Draws a picture from a description.',
  category: 'media',
  version: '1.0.0',
  // It adds a picture that only the user can see, and changes nothing that was there.
  danger: 'read',
  repeatable: false,
  timeoutMs: 120_000,

  config: z.object({
    model: z.string().trim().min(1).max(100).default(IMAGE_MODELS[0]).describe('The model that draws'),
  }),
  args: z.object({
    prompt: z.string().trim().min(1).max(4_000).describe('What the picture shows, in detail'),
    size: z.enum(['square', 'landscape', 'portrait', 'wide', 'tall']).default('square').describe('Its shape'),
  }),

  asFunction: () => ({ name: 'generate_image' }),
  touches: () => [],
  status: () => 'drawing a picture',

  async run({ prompt, size }, { model }, ctx) {
    const { pictures, text } = await ctx.drawPicture({ prompt, model, aspectRatio: SHAPES[size] });
    if (pictures.length === 0) return { content: `No picture was drawn. The image model said: ${text}` };
    return {
      content: [
        'The picture is ready. To show it, put this into your answer exactly as it stands:',
        ...pictures,
        ...(text === '' ? [] : [`The image model said: ${text}`]),
      ].join('\n\n'),
    };
  },
});
