import { IMAGE_MODELS, isImageModel } from '../../src/clients/gemini-images.js';
import { offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { textOf } from '../../src/core/message.js';
import { SAMPLING } from '../../src/core/runs/model-choice.js';
import google from './google.js';

/** Draws what the user asks for: the last thing they said, as the assistant's template puts it, is the prompt. */
export default defineConnector({
  name: 'banana_img',
  title: 'Google images',
  supportsFunctions: false,
  ignores: [...SAMPLING, 'tool_choice'],
  provider: google.provider,
  models: (settings) => offeredModels(settings, 'google', { usual: IMAGE_MODELS, fits: isImageModel }),

  async stream({ model, messages }, ctx, say) {
    const asked = messages.findLast((message) => message.role === 'user');
    const prompt = asked ? textOf(asked.content) : '';
    const { pictures, text: said, usage } = await ctx.pictures.draw({ prompt, model }, ctx.signal);
    await say([...pictures, said].filter((piece) => piece !== '').join('\n\n'));
    return { toolCalls: [], finishReason: 'stop', usage };
  },
});
