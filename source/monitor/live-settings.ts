import type { StoreApi } from 'zustand/vanilla';
import {
	announcementKinds,
	type Notice,
	type Preferences,
	preferencesFrom,
} from '../accounts/settings.ts';
import { type ReadShare, readShareNames } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import type { ParsedArgs } from '../script/parsed-args.ts';
import type { AccountSession } from '../session/session.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { Screen } from '../views/look/screen.ts';
import type { KeptSetting, Memory } from './memory.ts';

/** A setting that a person changes in the palette of an open monitor: `Share: full → half`. */
type LiveSettingRow = {
	/** Also that of its option, if it has one. */
	name: string;
	label: string;
	note?: string;
	words: readonly string[];
	/** A spoken monitor has neither a mouse nor a theme, and a replay has nothing else: it reads and announces nothing. */
	isOfScreen?: boolean;
	/** A read-only monitor refuses a setting that changes which requests are sent. */
	changesRequests?: boolean;
	wordIn(preferences: Preferences): string;
};

const noticeLabels: Readonly<Record<Notice, string>> = {
	operationEnded: 'Notify when operations end',
	computerFailed: 'Notify when computers fail',
	creditsLow: 'Notify when credits are low',
};

const noticeRows = Object.entries(noticeLabels).map(
	([event, label]): LiveSettingRow => ({
		name: `notify.${event}`,
		label,
		words: announcementKinds,
		wordIn: ({ notify }) => notify[event as Notice],
	}),
);

const unsetTheme = 'of the terminal';

export const liveSettingRows: readonly LiveSettingRow[] = [
	{
		name: 'theme',
		label: 'Theme',
		note: 'colours',
		words: ['dark', 'light'],
		isOfScreen: true,
		wordIn: ({ theme }) => theme.background ?? unsetTheme,
	},
	{
		name: 'mouse',
		label: 'Mouse',
		words: ['on', 'off'],
		isOfScreen: true,
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
	...noticeRows,
];

type SettingWords = ReadonlyMap<string, string>;

export const configuredSettingWords = (preferences: readonly Preferences[]): SettingWords =>
	new Map(
		liveSettingRows.map(({ name, wordIn }) => [
			name,
			[...new Set(preferences.map(wordIn))].join(', '),
		]),
	);

const choosableWords = ({ words }: LiveSettingRow, configured: string | undefined) =>
	configured === unsetTheme ? [...words, unsetTheme] : words;

export function validSettingChoices(
	kept: Readonly<Record<string, KeptSetting>>,
	configured: SettingWords,
): ReadonlyMap<string, KeptSetting> {
	const choices = new Map<string, KeptSetting>();
	for (const row of liveSettingRows) {
		const choice = kept[row.name];
		const over = configured.get(row.name);
		if (choice && choice.over === over && choosableWords(row, over).includes(choice.word))
			choices.set(row.name, choice);
	}
	return choices;
}

export type LiveSettingSources = {
	configured?: SettingWords;
	fixed?: SettingWords;
};

export const settingWordsFromOptions = (args: Pick<ParsedArgs, 'text' | 'flag'>): SettingWords =>
	new Map(
		liveSettingRows.flatMap(({ name }) => {
			const word = args.text(name) ?? (args.flag(name) ? 'on' : undefined);
			return word === undefined ? [] : [[name, word] as const];
		}),
	);

type LiveSettingDeps = {
	sources: LiveSettingSources | undefined;
	memory: Memory | undefined;
	reportMouse: ((isOn: boolean) => void) | undefined;
	/** A choice changes them. Undefined for a replay. */
	notices: Preferences['notify'] | undefined;
	screenStore: StoreApi<Screen>;
	sessions: SessionTable;
	clock: Clock;
	say: (notice: string) => void;
};

const defaultWords = configuredSettingWords([preferencesFrom([])]);

//  configuration ──▶ choice kept in the state folder ──▶ option of this run ──▶ choice in this run

export function startLiveSettings(deps: LiveSettingDeps) {
	const { sources = {}, memory, reportMouse, notices, screenStore, sessions, clock, say } = deps;
	const { fixed = new Map<string, string>() } = sources;
	let { configured = defaultWords } = sources;
	const present = new Map([...configured, ...fixed]);
	let chosenShare: { share: ReadShare; chosenAt: number } | undefined;
	const rows = liveSettingRows.filter(({ isOfScreen }) => (isOfScreen ? reportMouse : notices));
	const isReadOnly = () => sessions.operations.state().isReadOnly;

	// While an option sets the theme, the value of an unset theme is not known, so it is not offered.
	const wordsFor = (row: LiveSettingRow) =>
		choosableWords(row, fixed.has(row.name) ? undefined : configured.get(row.name));

	function tellShare({ account, store, watch }: AccountSession) {
		if (!chosenShare) return;
		store.receive([{ account, at: clock.now(), type: 'shareChosen', ...chosenShare }]);
		watch.wake();
	}

	function apply(name: string, word: string, chosenAt: number) {
		present.set(name, word);
		if (name === 'theme')
			screenStore.setState({ themeChoice: (['dark', 'light'] as const).find(is => is === word) });
		if (name === 'mouse') reportMouse?.(word === 'on');
		if (name === 'share') {
			const share = readShareNames.find(each => each === word);
			chosenShare = share && { share, chosenAt };
			sessions.all().forEach(tellShare);
		}
		if (name.startsWith('notify.'))
			Object.assign(notices ?? {}, { [name.slice('notify.'.length)]: word });
	}

	function publish() {
		screenStore.setState({
			settings: rows.map(row => ({
				name: row.name,
				label: row.label,
				note: row.note ?? '',
				present: present.get(row.name) ?? '',
				words: wordsFor(row),
				isRefused: row.changesRequests === true && isReadOnly(),
			})),
		});
	}

	const unsubscribers = [
		sessions.follow(session => {
			tellShare(session);
			return () => {};
		}),
		sessions.subscribe(publish),
		// Another pane has chosen the share and has already saved the choice, so it is only shown here.
		sessions.store.onFact(fact => {
			if (fact.type !== 'shareChosen' || fact.pane === undefined) return;
			if (!notices || present.get('share') === fact.share) return;
			present.set('share', fact.share);
			publish();
			say(`Share is ${fact.share} now: another pane changed it`);
		}),
	];
	const kept = validSettingChoices(memory?.read().settings ?? {}, configured);
	for (const { name } of rows) {
		const choice = fixed.has(name) ? undefined : kept.get(name);
		if (choice) apply(name, choice.word, choice.chosenAt);
	}
	publish();

	return {
		/** Returns a notice. */
		choose(name: string, word: string): string {
			const row = rows.find(each => each.name === name);
			const over = configured.get(name);
			if (!row || over === undefined || !wordsFor(row).includes(word))
				return `${name} cannot be changed here`;
			const { label, changesRequests } = row;
			if (changesRequests && isReadOnly()) return `Read-only: ${label} stays ${present.get(name)}`;
			const chosenAt = clock.now();
			apply(name, word, chosenAt);
			memory?.update(saved => {
				const { [name]: _, ...others } = saved.settings ?? {};
				const settings = word === over ? others : { ...others, [name]: { word, over, chosenAt } };
				return { ...saved, settings };
			});
			publish();
			return `${label} is ${word} now`;
		},
		/** A setting that has changed in the configuration replaces what a person chose before. */
		reconfigure(next: SettingWords = defaultWords) {
			const changed = rows.filter(({ name }) => next.get(name) !== configured.get(name));
			configured = next;
			for (const { name, words } of changed) {
				const word = next.get(name) ?? '';
				if (!fixed.has(name) && words.includes(word)) apply(name, word, clock.now());
			}
			publish();
		},
		close() {
			for (const unsubscribe of unsubscribers) unsubscribe();
		},
	};
}
