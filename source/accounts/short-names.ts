import { maxShortNameLength } from './setting-values.ts';
import type { ProfileValues } from './settings.ts';

type Profiles = ReadonlyMap<string, Pick<ProfileValues, 'short'>>;

export function sharedShortNames(
	profiles: Profiles,
): readonly { name: string; otherName: string }[] {
	const entries = [...profiles];
	return entries.flatMap(([name, { short }], index) => {
		const other = entries.find(
			([otherName, { short: otherShort }], otherIndex) =>
				short !== undefined &&
				otherName !== name &&
				(otherName === short || (otherIndex < index && otherShort === short)),
		);
		return other ? [{ name, otherName: other[0] }] : [];
	});
}

/** A name that is too long loses its middle, as in `produ-eu` for `production-eu`, unless another profile would match. */
export function shortNamesOf(profiles: Profiles): readonly { name: string; shortName: string }[] {
	const rows = Array.from(profiles, ([name, { short }]) => {
		return { name, short, cut: short ?? withoutMiddle(name) };
	});
	return rows.map(({ name, short, cut }) => {
		const isTaken = rows.some(
			other => other.name !== name && (other.name === cut || other.cut === cut),
		);
		return { name, shortName: short ?? (isTaken ? name : cut) };
	});
}

function withoutMiddle(name: string): string {
	if (name.length <= maxShortNameLength) return name;
	const [end = ''] = /[_.-]+[^_.-]+$/.exec(name) ?? [];
	const start = name.slice(0, Math.max(1, maxShortNameLength - end.length));
	return start.replace(/[_.-]+$/, '') + end;
}
