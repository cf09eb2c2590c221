import type { Component } from 'svelte';
import { type Key, t } from './lib/i18n';
import type { RouteParams } from './lib/router.svelte';

// biome-ignore lint/suspicious/noExplicitAny: each page names its own parameters
type Page = Component<any>;
export interface Route {
  pattern: string;
  load: () => Promise<{ default: Page }>;
  title: (params: RouteParams) => string;
}

function route(pattern: string, title: Key, load: Route['load']): Route {
  return { pattern, load, title: (params) => t(title, params) };
}

const bunkerwar = () => import('./pages/bunkerwar.svelte');
const battleship = () => import('./pages/battleship.svelte');
const replay = () => import('./pages/replay.svelte');
const leaderboard = () => import('./pages/leaderboard.svelte');

export const routes: readonly Route[] = [
  route('/', 'title.lobby', () => import('./pages/lobby.svelte')),
  route('/bunkerwar/:id', 'title.bunkerwar', bunkerwar),
  route('/battleship/:id', 'title.battleship', battleship),
  route('/:kind/:id/replay', 'title.replay', replay),
  route('/players/:address', 'title.player', () => import('./pages/profile.svelte')),
  route('/leaderboard', 'title.leaderboard', leaderboard),
  route('/leaderboard/:kind', 'title.leaderboard', leaderboard),
  route('/records', 'title.records', () => import('./pages/records.svelte')),
  route('/settings', 'title.settings', () => import('./pages/settings.svelte')),
  route('/about', 'title.about', () => import('./pages/about.svelte')),
];

export const notFound = route('', 'title.notFound', () => import('./pages/notFound.svelte'));
