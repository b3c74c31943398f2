import type { ConfigValues, ProfileValues } from './setting-table.ts';

/** How careful one operation's question is: not asked, y/n, or the name typed. */
export type Strictness = 'off' | 'ask' | 'type';

export type Attention = 'off' | 'bell' | 'notify';

export type Preferences = {
	readOnly: boolean;
	/** A name such as `red`, or `#rrggbb`. */
	colour: string | undefined;
	theme: 'dark' | 'light' | undefined;
	glyphs: 'unicode' | 'ascii' | undefined;
	/** Whoever has the columns checks their names and says the line. */
	columns: { names: readonly string[]; line: number | undefined } | undefined;
	screenReader: boolean;
	mouse: boolean;
	/** Milliseconds without a key; Infinity for never. */
	lockAfter: number;
	/** Only where a person wants other than the usual. */
	confirm: Readonly<
		Partial<
			Record<'start', Strictness> &
				Record<'stop' | 'restart' | 'update' | 'publish' | 'unpublish', 'ask' | 'type'>
		>
	>;
	notify: {
		operationEnded: Attention;
		computerFailed: Attention;
		creditsLow: Attention;
		/** Credits are low when they last no longer than that many milliseconds. */
		creditsLeft: number;
	};
	keys: readonly KeyOverride[];
};

/** A person's own keys for an action; whoever has the actions checks its name and says the line. */
export type KeyOverride = { action: string; keys: readonly string[]; line: number | undefined };

type Layer = Pick<
	ConfigValues & ProfileValues,
	| 'readOnly'
	| 'colour'
	| 'theme'
	| 'glyphs'
	| 'columns'
	| 'screenReader'
	| 'mouse'
	| 'lockAfter'
	| 'confirm'
	| 'notify'
	| 'keys'
>;

/** Later layers count more, setting by setting. Each comes with where it stands. */
export function preferencesFrom(
	layers: readonly { values: Layer; path: readonly string[] }[],
	lineOf: (path: readonly string[]) => number | undefined,
): Preferences {
	const values = layers.map(layer => layer.values);
	const keys = new Map<string, KeyOverride>();
	for (const { values, path } of layers) {
		for (const [action, each] of values.keys ?? []) {
			keys.set(action, { action, keys: each, line: lineOf([...path, 'keys', action]) });
		}
	}
	const chosen = layers.findLast(layer => layer.values.columns !== undefined);
	return {
		readOnly: last(values, 'readOnly') ?? false,
		colour: last(values, 'colour'),
		theme: last(values, 'theme'),
		glyphs: last(values, 'glyphs'),
		columns: chosen?.values.columns && {
			names: chosen.values.columns,
			line: lineOf([...chosen.path, 'columns']),
		},
		screenReader: last(values, 'screenReader') ?? false,
		mouse: last(values, 'mouse') ?? false,
		lockAfter: last(values, 'lockAfter') ?? 10 * 60_000,
		confirm: Object.assign({}, ...values.map(({ confirm }) => confirm)),
		notify: Object.assign(
			{
				operationEnded: 'bell',
				computerFailed: 'notify',
				creditsLow: 'notify',
				creditsLeft: 86_400_000,
			},
			...values.map(({ notify }) => notify),
		),
		keys: [...keys.values()],
	};
}

function last<Name extends keyof Layer>(layers: readonly Layer[], name: Name) {
	return layers.findLast(layer => layer[name] !== undefined)?.[name];
}
