import { about } from './about';
import { chain } from './chain';
import { game } from './game';
import { lobby } from './lobby';
import { refusals } from './refusals';
import { settings } from './settings';
import { shell } from './shell';

export const ko = { ...shell, ...lobby, ...settings, ...about, ...chain, ...game, ...refusals };
