import { spacedAgeText } from '../drawing/time-text.ts';

/** Says that data comes from a running monitor, and how old it is. */
export const leaderNotice = (pid: number, ageMs: number) =>
	`From pane ${pid}, read ${spacedAgeText(Math.max(0, ageMs))} ago. --fresh asks the platform.`;
