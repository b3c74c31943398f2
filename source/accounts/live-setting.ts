import type { ReadShare } from '../fleet/operations/preferences.ts';

export const announcementKinds = ['off', 'bell', 'notify'] as const;

export type AnnouncementKind = (typeof announcementKinds)[number];

export type AnnouncedEvent = 'operationEnded' | 'computerFailed' | 'creditsLow';

/**
 * The ways to change an open monitor. An effect is absent where it has no use: a spoken monitor has no mouse, and a
 * replay reads nothing.
 */
export type LiveEffects = {
	/**
	 * Draws with the colours for a dark or a light background; undefined for the background that the terminal or the
	 * configuration names.
	 */
	drawForBackground?(background: 'dark' | 'light' | undefined): void;
	reportMouse?(isOn: boolean): void;
	/** If several panes make a choice, the one with the latest `chosenAt` counts. */
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
	/** The command-line option that sets the value for one run. */
	option?: string;
	/** Whether the setting changes which requests are sent. A read-only monitor refuses such a change. */
	changesRequests?: boolean;
	/** The effect that the setting needs. Without this effect, the palette does not offer the setting. */
	needs: keyof LiveEffects;
	apply(value: T | undefined, effects: LiveEffects, chosenAt: number): void;
};

/**
 * Returns the setting unchanged. The call gives its values their exact type, which TypeScript would otherwise widen.
 */
export const liveSetting = <T>(setting: LiveSetting<T>): LiveSetting<T> => setting;
