import * as v from 'valibot';
import type { LiveSetting, SettingTable } from './setting-reader.ts';
import { noticeSettings, type Preferences, preferenceSettings } from './settings.ts';

/** A setting that can be changed while the monitor runs. The name is its path in the configuration: `notify.creditsLow`. */
export type LiveSettingRow = {
	name: string;
	live: LiveSetting;
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

function liveRowOf(path: readonly string[], live: LiveSetting): LiveSettingRow {
	return {
		name: path.join('.'),
		live,
		wordIn(preferences) {
			const value = path.reduce<unknown>(
				(table, name) => ({ ...Object(table) })[name],
				preferences,
			);
			if (typeof value === 'boolean') return value ? 'on' : 'off';
			return typeof value === 'string' ? value : (live.wordIfUnset ?? '');
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
	{ live: { words, wordIfUnset } }: LiveSettingRow,
	configured: string | undefined,
) =>
	wordIfUnset !== undefined && wordIfUnset === configured ? [...words, wordIfUnset] : [...words];

/** A setting that a person chose in the monitor. */
export type KeptSetting = v.InferOutput<typeof keptSettingSchema>;

export type KeptSettings = Readonly<Record<string, KeptSetting>>;

export const keptSettingSchema = v.object({
	word: v.string(),
	/** The value in the configuration when the person chose. The choice is valid until that value changes. */
	over: v.string(),
	chosenAt: v.number(),
});

/**
 * Returns the valid choices: the setting and the value are known, and the configuration has not changed since the
 * choice.
 */
export function validSettingChoices(
	kept: KeptSettings,
	configured: SettingWords,
): ReadonlyMap<string, KeptSetting> {
	return new Map(
		liveSettingRows.flatMap(row => {
			const choice = Object.hasOwn(kept, row.name) ? kept[row.name] : undefined;
			const over = configured.get(row.name);
			if (choice?.over !== over || !choosableWordsOf(row, over).includes(choice?.word ?? ''))
				return [];
			return choice ? [[row.name, choice] as const] : [];
		}),
	);
}
