import type { ReadShare } from '../fleet/operations/preferences.ts';

export const announcementKinds = ['off', 'bell', 'notify'] as const;

export type AnnouncementKind = (typeof announcementKinds)[number];

export type AnnouncedEvent = 'operationEnded' | 'computerFailed' | 'creditsLow';

/**
 * The ways to change an open monitor. An effect is absent where it has no use: a spoken monitor has no mouse, and a
 * replay reads nothing.
 */
export type LiveEffects = {
	/** Draws with the colours for a background; undefined for the one that the terminal or the configuration names. */
	drawForBackground?(background: 'dark' | 'light' | undefined): void;
	reportMouse?(isOn: boolean): void;
	/** `chosenAt` decides between the choices of several panes: the latest one counts. */
	limitReads?(share: ReadShare, chosenAt: number): void;
	announce?(event: AnnouncedEvent, kind: AnnouncementKind): void;
};

/** How a person changes a setting in the palette: `Share: full → half`. */
export type LiveSetting<T> = {
	/** The name in the palette. */
	label: string;
	/** The note beside the label in the palette; may be empty. */
	note: string;
	/** The values, each with its word. */
	choices: readonly { word: string; value: T }[];
	/** The word that stands for a setting without a value. It can be chosen if the configuration leaves the setting out. */
	wordIfUnset?: string;
	/** The option of the command line that decides for one run. */
	option?: string;
	/** Whether the setting changes which requests are sent. A read-only monitor refuses such a change. */
	changesRequests?: boolean;
	/** The effect without which the palette leaves the setting out. */
	needs: keyof LiveEffects;
	apply(value: T | undefined, effects: LiveEffects, chosenAt: number): void;
};

/** Names the type of the values, which TypeScript would otherwise infer as any text. */
export const liveSetting = <T>(setting: LiveSetting<T>): LiveSetting<T> => setting;
