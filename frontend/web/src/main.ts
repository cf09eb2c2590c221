import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { app } from './lib/app.svelte';
import { settings } from './lib/settings.svelte';

async function start(target: HTMLElement): Promise<void> {
  void app.load();
  await settings.apply();
  settings.follow();
  mount(App, { target });
}

const target = document.getElementById('app');
if (!target) throw new Error('the page has no #app');
void start(target);
