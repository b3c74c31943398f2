import * as v from 'valibot';
import { readShareNames } from '../fleet/operations/preferences.ts';
import { announcementKinds, type Preferences } from './settings.ts';

/** A setting that a person changes in the palette of an open monitor: `Share: full → half`. */
export type LiveSettingRow = {
	name: string;
	label: string;
	/** The note beside the label in the palette; may be empty. */
	note: string;
	/** The values as words: `on` and `off` for true and false. */
	words: readonly string[];
	/** The word that stands for a setting without a value. It can be chosen if the configuration leaves the setting out. */
	wordIfUnset?: string;
	/** The command-line option that sets the value for one run. */
	option?: string;
	/** Whether the setting changes which requests are sent. A read-only monitor refuses such a change. */
	changesRequests?: boolean;
	wordIn(preferences: Preferences): string;
};

export const liveSettingRows: readonly LiveSettingRow[] = [
	{
		name: 'theme',
		label: 'Theme',
		note: 'colours',
		words: ['dark', 'light'],
		wordIfUnset: 'of the terminal',
		option: 'theme',
		wordIn: ({ theme }) => theme ?? 'of the terminal',
	},
	{
		name: 'mouse',
		label: 'Mouse',
		note: '',
		words: ['on', 'off'],
		option: 'mouse',
		wordIn: ({ mouse }) => (mouse ? 'on' : 'off'),
	},
	{
		name: 'share',
		label: 'Share',
		note: 'of the rate limits',
		words: readShareNames,
		changesRequests: true,
		wordIn: ({ share }) => share,
	},
	announcementRow('operationEnded', 'Notify when operations end'),
	announcementRow('computerFailed', 'Notify when computers fail'),
	announcementRow('creditsLow', 'Notify when credits are low'),
];

function announcementRow(
	event: 'operationEnded' | 'computerFailed' | 'creditsLow',
	label: string,
): LiveSettingRow {
	return {
		name: `notify.${event}`,
		label,
		note: '',
		words: announcementKinds,
		wordIn: ({ notify }) => notify[event],
	};
}

/** The word for the value of each live setting, keyed by the name of the setting. */
export type SettingWords = ReadonlyMap<string, string>;

/** Returns the words for the values in the configuration; all values where accounts differ. */
export const configuredSettingWords = (preferences: readonly Preferences[]): SettingWords =>
	new Map(
		liveSettingRows.map(({ name, wordIn }) => [
			name,
			[...new Set(preferences.map(wordIn))].join(', '),
		]),
	);

export const choosableWordsOf = (
	{ words, wordIfUnset }: LiveSettingRow,
	configured: string | undefined,
) =>
	wordIfUnset !== undefined && wordIfUnset === configured ? [...words, wordIfUnset] : [...words];

export type KeptSetting = v.InferOutput<typeof keptSettingSchema>;

export type KeptSettings = Readonly<Record<string, KeptSetting>>;

export const keptSettingSchema = v.object({
	word: v.string(),
	/** The value in the configuration when the person chose. */
	over: v.string(),
	chosenAt: v.number(),
});

/** Returns the choices that are possible, and that were made when the configuration said what it says now. */
export function validSettingChoices(
	kept: KeptSettings,
	configured: SettingWords,
): ReadonlyMap<string, KeptSetting> {
	const choices = liveSettingRows.flatMap(row => {
		const choice = Object.hasOwn(kept, row.name) ? kept[row.name] : undefined;
		const over = configured.get(row.name);
		const isValid =
			choice?.over === over && choosableWordsOf(row, over).includes(choice?.word ?? '');
		return choice && isValid ? [[row.name, choice] as const] : [];
	});
	return new Map(choices);
}
