import type { KeyOverride, Preferences } from '../fleet/preferences.ts';
import type { ConfigValues, ProfileValues } from './setting-table.ts';

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

/**
 * Merges the layers setting by setting; a later layer wins. A layer's `path` is its place in the configuration.
 */
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
