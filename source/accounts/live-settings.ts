import type { LiveSetting } from './live-setting.ts';
import { noticeSettings } from './notice-settings.ts';
import type { SettingTable } from './setting-reader.ts';
import { type Preferences, preferenceSettings } from './setting-table.ts';

/** A setting that can be changed while the monitor runs. The name is its path in the configuration: `notify.creditsLow`. */
export type LiveSettingRow = {
	name: string;
	live: LiveSetting<unknown>;
	/** Returns the word for the value of this setting in the preferences of an account. */
	wordIn(preferences: Preferences): string;
};

/** The path of each table that has live settings. */
const tables: readonly (readonly [path: readonly string[], table: SettingTable])[] = [
	[[], preferenceSettings],
	[['notify'], noticeSettings],
];

/** The settings that can be changed while the monitor runs. */
export const liveSettingRows: readonly LiveSettingRow[] = tables.flatMap(([path, table]) =>
	Object.entries(table).flatMap(([name, { live }]) =>
		live ? [liveRowOf([...path, name], live)] : [],
	),
);

function liveRowOf(path: readonly string[], live: LiveSetting<unknown>): LiveSettingRow {
	return {
		name: path.join('.'),
		live,
		wordIn(preferences) {
			const value = path.reduce<unknown>(
				(table, name) => ({ ...Object(table) })[name],
				preferences,
			);
			return live.choices.find(choice => choice.value === value)?.word ?? live.wordIfUnset ?? '';
		},
	};
}

/** The word for the value of each live setting, keyed by the name of the setting. */
export type SettingWords = ReadonlyMap<string, string>;

/**
 * Returns the words for the values in the configuration. If accounts differ in a setting, its word lists all values.
 */
export function configuredSettingWords(preferences: readonly Preferences[]): SettingWords {
	return new Map(
		liveSettingRows.map(({ name, wordIn }) => [
			name,
			[...new Set(preferences.map(wordIn))].join(', '),
		]),
	);
}

/** Returns the words that a person may choose. */
export const choosableWordsOf = (
	{ live: { choices, wordIfUnset } }: LiveSettingRow,
	configured: string | undefined,
) => [
	...choices.map(({ word }) => word),
	...(wordIfUnset !== undefined && wordIfUnset === configured ? [wordIfUnset] : []),
];
