import type { Setting } from './setting-reader.ts';
import { preferenceSettings } from './setting-table.ts';

type Rows = typeof preferenceSettings;

type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never;

/** The settings of the program for one account. Settings without a default are undefined if nothing sets them. */
export type Preferences = {
	[Name in keyof Rows]: Rows[Name] extends { default: infer Default }
		? ValueOf<Rows[Name]> & Default
		: ValueOf<Rows[Name]> | undefined;
};

/** The settings of one table of the configuration: that for all profiles, or a profile. */
type Layer = { readonly [Name in keyof Rows]?: ValueOf<Rows[Name]> };

/** Merges the layers setting by setting. A later layer wins, unless the setting combines its values. */
export function preferencesFrom(layers: readonly Layer[]): Preferences {
	const rows: Readonly<Record<string, Setting<unknown>>> = preferenceSettings;
	const layersByName: readonly Readonly<Record<string, unknown>>[] = layers;
	const values = Object.entries(rows).map(([name, { default: usual, combine }]) => {
		const present = [usual, ...layersByName.map(layer => layer[name])].filter(
			value => value !== undefined,
		);
		return [name, combine ? combine(present) : present.at(-1)] as const;
	});
	return Object.fromEntries(values) as Preferences;
}
