import type { Skipped } from './capture.ts';

/** "atlas and 3 more: it runs the latest version already, 1.4.2; draco: it is in error" */
export function reasonsText(skipped: readonly Skipped[]): string {
	return groupsOf(skipped)
		.map(([reason, [first = '', ...others]]) => {
			const more = others.length > 0 ? ` and ${others.length} more` : '';
			return `${first}${more}: ${reason}`;
		})
		.join('; ');
}

const groupsAtMost = 3;
const namedAtMost = 3;

/** A line for each reason, whatever number of computers it is the reason for. */
export function leftOutLines(skipped: readonly Skipped[]): readonly string[] {
	const groups = groupsOf(skipped);
	const told = groups.slice(0, groupsAtMost);
	const untold = groups.slice(groupsAtMost).reduce((sum, [, names]) => sum + names.length, 0);
	const lines = told.map(groupText);
	return untold > 0 ? [...lines, `… and ${untold} more, for other reasons`] : lines;
}

function groupText([reason, names]: readonly [string, readonly string[]]): string {
	if (names.length === 1) return `Left out: ${names[0]}, ${reason}`;
	const more = names.length - namedAtMost;
	const who = names.slice(0, namedAtMost).join(', ') + (more > 0 ? ` and ${more} more` : '');
	return `Left out: ${names.length}, each because ${reason}: ${who}`;
}

function groupsOf(skipped: readonly Skipped[]) {
	const groups = new Map<string, string[]>();
	for (const { name, reason } of skipped) {
		const names = groups.get(reason);
		if (names) names.push(name);
		else groups.set(reason, [name]);
	}
	return [...groups];
}
