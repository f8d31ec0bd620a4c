import { mount } from 'svelte';
import ApiDocs from './ApiDocs.svelte';
import { wordsFor } from './words.ts';
import '../styles/base.css';

const [language, words] = wordsFor(navigator.languages);
document.documentElement.lang = language;
document.title = words.title;
mount(ApiDocs, { target: document.getElementById('app') ?? document.body, props: { words } });
