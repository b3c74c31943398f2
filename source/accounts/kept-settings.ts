import { join } from 'node:path';
import { shortHash } from '../foundation/short-hash.ts';
import { choosableWordsOf, liveSettingRows, type SettingWords } from './live-settings.ts';
import { readPrivately, refusePublicStateFolder, writePrivately } from './private-file.ts';

/** A setting that a person chose in the monitor. */
export type KeptSetting = {
	word: string;
	/** The value in the configuration when the person chose. The choice is valid until that value changes. */
	over: string;
	chosenAt: number;
};

export type KeptSettings = Readonly<Record<string, KeptSetting>>;

export type SettingKeeper = {
	restore(): KeptSettings;
	/** Saves a choice for the next start; `undefined` removes the saved choice. */
	save(name: string, kept: KeptSetting | undefined): void;
};

const fileVersion = 1;
const maxWordLength = 100;

/**
 * Creates a keeper for the settings that a person changes in the monitor of an account. Each choice is written at
 * once, and the choices of other panes are kept. A damaged file is ignored, and a file of a newer version is neither
 * used nor replaced.
 */
export function createSettingKeeper(
	directory: string,
	account: string,
	onTrouble: (message: string) => void = () => {},
): SettingKeeper {
	const path = join(directory, `settings-${shortHash(account)}.json`);

	function readFile(): { isNewer: boolean; settings: KeptSettings } {
		try {
			const value: unknown = JSON.parse(readPrivately(path) ?? '{}');
			const { version, settings }: Record<string, unknown> = { ...Object(value) };
			const isNewer = typeof version === 'number' && version > fileVersion;
			return { isNewer, settings: isNewer ? {} : keptSettingsFrom(settings) };
		} catch {
			return { isNewer: false, settings: {} };
		}
	}

	return {
		restore() {
			const { isNewer, settings } = readFile();
			if (isNewer)
				onTrouble(`${path} was written by a newer version of crowsnest and is left alone`);
			return settings;
		},
		save(name, kept) {
			try {
				const { isNewer, settings } = readFile();
				const { [name]: before, ...others } = settings;
				if (isNewer || (!kept && !before)) return;
				refusePublicStateFolder(directory);
				const saved = {
					version: fileVersion,
					settings: { ...others, ...(kept && { [name]: kept }) },
				};
				writePrivately(path, `${JSON.stringify(saved)}\n`);
			} catch {
				// A failure to save is ignored: then the next start uses the configuration.
			}
		},
	};
}

function keptSettingsFrom(value: unknown): KeptSettings {
	const entries = Object.entries({ ...Object(value) }).flatMap(([name, entry]) => {
		const { word, over, chosenAt }: Record<string, unknown> = { ...Object(entry) };
		if (!isWord(word) || !isWord(over) || !Number.isFinite(chosenAt)) return [];
		return [[name, { word, over, chosenAt: Number(chosenAt) }] as const];
	});
	return Object.fromEntries(entries);
}

const isWord = (value: unknown): value is string =>
	typeof value === 'string' && value.length <= maxWordLength;

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
			const isValid =
				choice?.over === over && choosableWordsOf(row, over).includes(choice?.word ?? '');
			return choice && isValid ? [[row.name, choice] as const] : [];
		}),
	);
}
