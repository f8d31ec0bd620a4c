import { mount } from 'svelte';
import App from './app/App.svelte';
import { createApp } from './app/create-app.svelte.ts';
import './styles/base.css';

const app = createApp();
await Promise.all([app.i18n.start(), app.session.resume()]);
mount(App, { target: document.getElementById('app') ?? document.body, props: { app } });
