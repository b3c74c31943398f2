import { maxShortNameLength } from './setting-values.ts';
import type { ProfileValues } from './settings.ts';

type Profiles = ReadonlyMap<string, Pick<ProfileValues, 'short'>>;

export function sharedShortNames(
	profiles: Profiles,
): readonly { name: string; otherName: string }[] {
	const names = [...profiles.keys()];
	return names.flatMap((name, index) => {
		const short = profiles.get(name)?.short;
		if (short === undefined) return [];
		const otherName = names.find(
			(other, otherIndex) =>
				(other === short && other !== name) ||
				(otherIndex < index && profiles.get(other)?.short === short),
		);
		return otherName === undefined ? [] : [{ name, otherName }];
	});
}

/**
 * Its beginning, or its beginning and its last part, as in `produ-eu` for `production-eu`. If those are not distinct, the
 * whole name.
 */
export function shortNamesOf(profiles: Profiles): ReadonlyMap<string, string> {
	const names = [...profiles.keys()];
	const candidates = new Map(
		names.map(name => {
			const { short } = profiles.get(name) ?? {};
			return [name, short === undefined ? [cutName(name), cutMiddle(name), name] : [short]];
		}),
	);
	const isDistinct = (name: string, candidate: string) =>
		names.every(
			other =>
				other === name || (other !== candidate && !candidates.get(other)?.includes(candidate)),
		);
	return new Map(
		names.map(name => {
			const own = candidates.get(name) ?? [];
			return [name, own.find(candidate => isDistinct(name, candidate)) ?? own.at(-1) ?? name];
		}),
	);
}

function cutName(name: string): string {
	return name.slice(0, maxShortNameLength).replace(/[_.-]+$/, '');
}

function cutMiddle(name: string): string {
	const [end = ''] = /[_.-]+[^_.-]+$/.exec(name) ?? [];
	return cutName(name).slice(0, Math.max(1, maxShortNameLength - end.length)) + end;
}
